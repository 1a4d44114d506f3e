import { type Command, dokku } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { stripCsi } from '../output.ts';

/**
 * `lines` counts for each container. `process` is a type (`web`); Dokku cannot select one container of a type. A followed log
 * starts a reader for each container. While the app is silent, these readers notice only a terminal that hangs up, so a followed
 * log needs a terminal: without one they outlive their channel until the app's next line.
 */
export function read(
  app: AppName,
  { lines, follow, process }: { lines: number; follow: boolean; process?: string },
): Command {
  const filter = process === undefined ? [] : ['--ps', process];
  return dokku('logs', app, '--num', String(lines), ...filter, ...(follow ? ['--tail'] : []));
}

export type LogLine =
  | {
      readonly at: number;
      /** Nanoseconds within the millisecond `at`, so that two lines seldom have the same time. */
      readonly nanos: number;
      /** `web.1` */
      readonly process: string;
      readonly text: string;
    }
  /** No line of the app: a warning of Dokku's, or the rest of a line that was too long. */
  | { readonly at: null; readonly process: null; readonly text: string };

const pattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z app\[([^\]]+)\]: ?(.*)$/s;

export function readLine(line: string): LogLine {
  const text = stripCsi(line).replace(/\r$/, '');
  const found = pattern.exec(text);
  if (!found) return { at: null, process: null, text };
  const [, seconds = '', fraction = '', process = '', rest = ''] = found;
  const nanoseconds = Number(fraction.padEnd(9, '0'));
  const at = Date.parse(`${seconds}Z`) + Math.floor(nanoseconds / 1_000_000);
  return { at, nanos: nanoseconds % 1_000_000, process, text: rest };
}
