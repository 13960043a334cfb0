// How long to wait before the next attempt to connect.

const FIRST = 500;
const LONGEST = 4_000;
const PATIENT_AFTER = 5 * 60_000;
const PATIENT = 15_000;
const CROWDED = 5_000;
export const RESTARTING = 1012;
export const TOO_MANY = 4429;

// Jitter keeps a thousand pages from coming back in the same instant.
export function retryDelay({ attempt, downFor, code, random }) {
  if (code === TOO_MANY) return CROWDED + random() * FIRST;
  if (code === RESTARTING && attempt === 0) return random() * FIRST;
  if (attempt === 0) return FIRST * (0.5 + random() / 2);
  const longest = downFor >= PATIENT_AFTER ? PATIENT : LONGEST;
  return Math.min(longest, FIRST * 2 ** Math.min(attempt, 10)) * (0.5 + random() / 2);
}
