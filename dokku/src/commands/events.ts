import { type Command, dokku } from '../command.ts';

/** Switches events on, once for a server. Repeatable. Before that `read` prints nothing. */
export function on(): Command {
  return dokku('events:on');
}

/** The last 100 events. */
export function read(): Command {
  return dokku('events');
}

export type DokkuEvent = { readonly at: number; readonly trigger: string; readonly words: readonly string[] };

const invoked = /^INVOKED: ([\w-]+)\(([^)]*)\)/;

/** Null for a line that is no event. */
export function readLine(line: string): DokkuEvent | null {
  const [time = '', , tag = '', ...words] = line.split(' ');
  const at = Date.parse(time);
  const found = tag.startsWith('dokku-event[') ? invoked.exec(words.join(' ')) : null;
  if (!found || Number.isNaN(at)) return null;
  return {
    at,
    trigger: found[1] ?? '',
    words: (found[2] ?? '')
      .trim()
      .split(/\s+/)
      .filter((word) => word !== ''),
  };
}
