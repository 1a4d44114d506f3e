import { type Command, dokku } from '../command.ts';

/** Switches events on, once for a server. Repeatable. Before that `dokku events` prints nothing. */
export function on(): Command {
  return dokku('events:on');
}
