// Where things are on the server.

export const conversationPage = (id) => `/conversations/${id}/`;
export const conversationPart = (id, part) => `/conversations/${id}/${part}/`;
export const messageWindow = (session, query = "") => `/sessions/${session}/messages/${query}`;
export const messagePart = (session, id) => `/sessions/${session}/messages/${id}/`;
export const messageText = (session, id) => `/sessions/${session}/messages/${id}/text`;
export const notice = (session, seq) => `/sessions/${session}/notices/${seq}/`;
export const readMarker = (session) => `/sessions/${session}/read/`;
export const lastRead = (session, seq) => `/sessions/${session}/last-read/${seq}/`;
export const events = (session, after) => `/sessions/${session}/events?after=${after}`;
export const messageAction = (id, action) => `/messages/${id}/${action}/`;
export const turnAction = (id, action) => `/turns/${id}/${action}/`;

export function socket(location) {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/`;
}
