// Times as people say them, in their own zone.

const DAY = 86_400_000;

export function shortTime(date, now) {
  const sameDay = date.toDateString() === now.toDateString();
  const time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  if (sameDay) return time;
  if (new Date(now - DAY).toDateString() === date.toDateString()) return `yesterday, ${time}`;
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: "numeric" };
  return `${date.toLocaleDateString([], { day: "numeric", month: "short", ...year })}, ${time}`;
}
