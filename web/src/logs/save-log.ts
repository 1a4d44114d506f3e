import { gatherText, type LogLine, lineText } from '../ui/log/log-lines.ts';
import { saveTextFile } from '../ui/save-file.ts';
import { formatIso } from '../ui/text/format.ts';

/**
 * Saves a log as a file. The file's name holds the source and the time:
 * `ledger-api-x7k2p9-web-2026-11-21T14-06-11Z.log`.
 */
export async function saveLog(name: string, lines: readonly LogLine[], now = Date.now()): Promise<void> {
  saveTextFile(logFileName(name, now), `${await gatherText(lines, fileLine)}\n`);
}

export const logFileName = (name: string, now: number) =>
  `${name}-${formatIso(now).slice(0, 19).replaceAll(':', '-')}Z.log`;

/** A line with the time that the server gave. The console's own remarks are set apart. */
export function fileLine(line: LogLine): string {
  if (line.kind === 'rule') return `--- ${line.text} ---`;
  return line.at ? `${new Date(line.at).toISOString()} ${lineText(line)}` : lineText(line);
}
