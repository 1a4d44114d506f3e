import { remoteLineCharacters } from '@homeport/contract/limits';
import { z } from 'zod';

/** ECMA-48 control sequences. Dokku colours some warnings, and the git plugin begins lines with `ESC[1G ESC[K`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for the escape character
const csi = /\u001b\[[0-?]*[ -/]*[@-~]/g;

export function stripCsi(text: string): string {
  return text.replaceAll(csi, '');
}

/** A text of a repository’s own, as the page shows it: one line, in which nothing is hidden or turned round. “…” ends one that was cut. */
export function oneLine(text: string, most: number): string {
  const whole = stripCsi(text);
  const kept = whole.length > most ? `${whole.slice(0, most - 1)}…` : whole;
  return kept.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ');
}

/** The lines of a text, without control sequences, carriage returns and the empty last line. Cuts lines that are too long. */
export function linesOf(text: string): string[] {
  const lines = stripCsi(text).replaceAll('\r', '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.slice(0, remoteLineCharacters));
}

/** The value of each key in lines `key=value`. Skips other lines. */
export function readValues(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of linesOf(text)) {
    const at = line.indexOf('=');
    if (at > 0) values.set(line.slice(0, at), line.slice(at + 1));
  }
  return values;
}

/** The answer has not the form that this command prints. `output` holds the text for the operation's log. */
export class UnreadableOutputError extends Error {
  override readonly name = 'UnreadableOutputError';
  readonly output: string;
  constructor(what: string, output: string) {
    super(`The server's answer to ${what} could not be read.`);
    this.output = output;
  }
}

/** Reads one JSON value of a known shape. @throws UnreadableOutputError */
export function readJson<T>(what: string, text: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableOutputError(what, text);
  }
  const read = schema.safeParse(value);
  if (!read.success) throw new UnreadableOutputError(what, text);
  return read.data;
}

/** A `:report --format json` of one app. Every value is a string (Dokku 0.38; only `docker-options` has arrays). */
export const reportSchema = z.record(z.string(), z.string());

/** A value of a report under its new key or, before 0.38, under the prefixed one (`app-dir`, `ps-restart-policy`). */
export function reportValue(report: Record<string, string>, prefix: string, key: string): string {
  return report[key] ?? report[`${prefix}-${key}`] ?? '';
}

/** Null for `""` and any text that is no number of seconds. */
export function epochSecondsToMs(seconds: string): number | null {
  return /^\d+$/.test(seconds) ? Number(seconds) * 1000 : null;
}
