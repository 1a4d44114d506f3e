import type { AppName } from './app-name.ts';
import { type Command, dokku } from './command.ts';
import { stripCsi } from './output.ts';

/** `lines` is per container. Following ends with the channel; a silent app's remote reader may outlive it until its next line. */
export function read(app: AppName, options: { lines: number; follow: boolean }): Command {
  return dokku('logs', app, '--num', String(options.lines), ...(options.follow ? ['--tail'] : []));
}

export type LogLine = {
  /** Null for a line that is not of the app (a warning of Dokku's). */
  readonly at: number | null;
  /** `web.1` */
  readonly process: string | null;
  readonly text: string;
};

const pattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z) app\[([^\]]+)\]: ?(.*)$/s;

export function readLine(line: string): LogLine {
  const text = stripCsi(line).replace(/\r$/, '');
  const found = pattern.exec(text);
  if (!found) return { at: null, process: null, text };
  return { at: Date.parse(found[1] ?? ''), process: found[2] ?? null, text: found[3] ?? '' };
}
