import type { AppLogEvent } from '@homeport/contract/apps';

export type RemoteLine = Extract<AppLogEvent, { type: 'lines' }>['lines'][number];

/** What was seen of a log that is read again from some lines back: its newest time, and the lines of that time. */
export interface SeenLines {
  at: number;
  latest: readonly string[];
}

export const nothingSeen: SeenLines = { at: 0, latest: [] };

const identity = ({ process, text }: RemoteLine) => `${process} ${text}`;

/** Leaves out what was seen before the stream was opened again. A line without a time counts as new among new ones. */
export function freshLines(lines: readonly RemoteLine[], before: SeenLines): RemoteLine[] {
  let reached = before === nothingSeen;
  return lines.filter((line) => {
    if (line.at === null) return reached;
    const fresh = line.at > before.at || (line.at === before.at && !before.latest.includes(identity(line)));
    reached ||= fresh;
    return fresh;
  });
}

export function noteSeen(seen: SeenLines, lines: readonly RemoteLine[]): SeenLines {
  const at = lines.reduce((newest, line) => Math.max(newest, line.at ?? 0), seen.at);
  if (at === 0) return seen;
  const latest = lines.filter((line) => line.at === at).map(identity);
  return { at, latest: at === seen.at ? [...seen.latest, ...latest] : latest };
}
