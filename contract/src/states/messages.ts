/** The fixed texts on the state of a server, an app or a database. `messages.ts` has them all. */
export const messages = {
  online: 'Online',
  offline: 'Offline',
  noData: 'No data found',
  running: 'Running',
  paused: 'Paused',
} as const;
