import type { ServerStatus } from '../servers/health.ts';
import { messages } from '../states/messages.ts';
import type { Database, DatabaseEnding } from './schema.ts';

/** The part of a database's state that the store holds. */
export type DatabaseFacts = Pick<Database, 'stopped' | 'state'>;

/**
 * `online`: it runs. `paused`: somebody stopped it, and its container stays. `crashed`: it ended and nobody stopped it.
 * `ended`: it ended, nobody stopped it through Homeport, and its server does not tell more. `restarting`: it ends again and again. `missing`: its container was removed, and its data stay. `created`: its container
 * never started. `unread`: its server was not asked yet. `server-offline`: it ran when its server was heard last.
 */
export const databaseStatuses = [
  'online',
  'paused',
  'crashed',
  'ended',
  'restarting',
  'missing',
  'created',
  'unread',
  'server-offline',
] as const;
export type DatabaseStatus = (typeof databaseStatuses)[number];

/**
 * The status of a database, for every page. What the server said of the container comes first where no start or stop
 * explains it; then the record that somebody stopped the database. Only a running database can be lost with its server's
 * reports: the other states are known to last.
 *
 * @param server the server's status; undefined: not read yet
 */
export function databaseStatus(
  { stopped, state }: DatabaseFacts,
  server: ServerStatus | undefined,
): DatabaseStatus {
  if (state === 'missing' || state === 'restarting') return state;
  if (stopped || state === 'paused') return 'paused';
  switch (state) {
    case 'running':
      return server === 'offline' ? 'server-offline' : 'online';
    case 'exited':
      return 'crashed';
    case 'ended':
      return 'ended';
    case 'created':
      return 'created';
    case 'unknown':
      return 'unread';
  }
}

const texts: Record<DatabaseStatus, string> = {
  online: messages.online,
  paused: messages.paused,
  crashed: 'Crashed',
  ended: 'Ended',
  restarting: 'Restarting',
  missing: 'No container',
  created: 'Never started',
  unread: 'Not read yet',
  'server-offline': 'Server offline',
};

/** A database's status in words, for every page. */
export const databaseStatusText = (status: DatabaseStatus): string => texts[status];

/** What the status means for the person, and the way out. null: nothing to do. `ending`: how the database ended, if known. */
export function databaseStatusAdvice(status: DatabaseStatus, ending: DatabaseEnding | null): string | null {
  switch (status) {
    case 'online':
      return null;
    case 'paused':
      return 'Somebody stopped this database. Its data stay on the server, and its apps cannot reach it until it starts.';
    case 'crashed':
      return `${endingText(ending)} Its log says more. Start it again: its data stay on the server.`;
    case 'ended':
      return 'This database ended. Nobody stopped it through Homeport, and its server does not report whether it crashed or somebody stopped it there. Its log may say why. Start it again: its data stay on the server.';
    case 'restarting':
      return 'This database ends as soon as it starts, again and again. Its log says why. Stop it to look in peace.';
    case 'missing':
      return 'The container of this database was removed, and its data stay on the server. Start makes a new container. Until then, deploys of its apps fail.';
    case 'created':
      return 'The container of this database never started. Start it now.';
    case 'unread':
      return 'Homeport has not asked the server about this database yet.';
    case 'server-offline':
      return 'This database ran when its server was heard last. The server has sent no report for five minutes.';
  }
}

function endingText(ending: DatabaseEnding | null): string {
  if (ending?.outOfMemory) return 'This database used up its memory, and its server ended it.';
  const how = ending === null ? '' : ` with exit code ${ending.exitCode}`;
  return `This database ended${how}, and nobody stopped it.`;
}

/** Whether the database is meant to run and does not. Something must be done. */
export const isDatabaseDown = (status: DatabaseStatus): boolean =>
  status === 'crashed' ||
  status === 'ended' ||
  status === 'restarting' ||
  status === 'missing' ||
  status === 'created';
