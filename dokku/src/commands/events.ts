import { type Command, dokku } from './command.ts';

/** Once a server; repeatable. Until then `read` prints nothing. */
export function on(): Command {
  return dokku('events:on');
}

/** The last 100. */
export function read(): Command {
  return dokku('events');
}

export type DokkuEvent = { readonly at: number; readonly trigger: string; readonly words: readonly string[] };

const pattern = /^(\S+) \S+ dokku-event\[\d+\]: INVOKED: ([\w-]+)\((.*?)\)/;

/** Null for a line that is no event. */
export function readLine(line: string): DokkuEvent | null {
  const found = pattern.exec(line);
  const at = Date.parse(found?.[1] ?? '');
  if (!found || Number.isNaN(at)) return null;
  return {
    at,
    trigger: found[2] ?? '',
    words: (found[3] ?? '')
      .trim()
      .split(/\s+/)
      .filter((word) => word !== ''),
  };
}
