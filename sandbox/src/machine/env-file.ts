import type { Call } from './call.ts';
import type { App } from './state.ts';

// Dokku keeps the variables of an app as a file of lines, and each of its commands reads that file again. The library behind it
// (godotenv: 1.2.0 before Dokku 0.37.8, then 1.5.1) does not read back everything that it writes. Both are imitated here.

/** The file cannot be read. `message` is Dokku's own. */
export class UnreadableVariables extends Error {}

/** `wholeNumbers`: numbers are written without quotes and in their shortest form, as from Dokku 0.37.8 on. */
export function writeVariables(
  values: Readonly<Record<string, string>>,
  options: { wholeNumbers: boolean },
): string {
  return Object.entries(values)
    .map(([key, value]) => {
      const number = options.wholeNumbers ? wholeNumberOf(value) : null;
      return `${key}=${number ?? `"${escaped(value)}"`}\n`;
    })
    .sort()
    .join('');
}

function wholeNumberOf(value: string): string | null {
  if (!/^[+-]?\d{1,4096}$/.test(value)) return null;
  const number = BigInt(value.replace(/^\+/, ''));
  return BigInt.asIntN(64, number) === number ? number.toString() : null;
}

const escaped = (value: string) =>
  value
    .replace(/[\\"!$`]/g, (character) => `\\${character}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');

const unescaped = (text: string) =>
  text.replace(/\\(.)/g, (_pair, character: string) => ({ n: '\n', r: '\r' })[character] ?? character);

/**
 * Reads the text as godotenv 1.5.1 does. A quote ends a value unless a backslash stands before it, whether or not that backslash
 * is escaped itself. So a value that ends in a backslash runs on into the lines after it. The quotes at both ends of a value are
 * cut off as a run, so a value that ends in a quote loses the quote and keeps its backslash.
 *
 * @throws UnreadableVariables
 */
export function readVariables(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  let at = 0;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at += 1;
    if (at >= text.length) return values;
    const equals = nameEnd(text, at);
    const key = text.slice(at, equals).trim();
    const begin = equals + 1;
    if (text[begin] === '"') {
      const end = quoteEnd(text, begin);
      values[key] = unescaped(withoutQuotes(text.slice(begin, end)));
      at = end + 1;
    } else {
      const end = text.indexOf('\n', begin);
      at = end < 0 ? text.length : end;
      values[key] = text.slice(begin, at).trim();
    }
  }
}

/** Cuts the runs of quotes at both ends. */
function withoutQuotes(text: string): string {
  let begin = 0;
  let end = text.length;
  while (text[begin] === '"') begin += 1;
  while (end > begin && text[end - 1] === '"') end -= 1;
  return text.slice(begin, end);
}

function nameEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '=') return at;
    if (!/[\w.\s]/.test(character))
      throw new UnreadableVariables(
        `unexpected character ${JSON.stringify(character)} in variable name near ${JSON.stringify(text.slice(from))}`,
      );
  }
  return text.length;
}

function quoteEnd(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1)
    if (text[at] === '"' && text[at - 1] !== '\\') return at;
  throw new UnreadableVariables(`unterminated quoted value ${text.slice(begin).split('\n', 1)[0]}`);
}

/** The older library takes one line at a time, and the value between the first quote and the last. */
function readLines(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const at = line.indexOf('=');
        return [line.slice(0, at), unescaped(line.slice(at + 2, -1))];
      }),
  );
}

/** The app's file as this version of Dokku writes it. */
export function variablesFile(call: Call, values: Readonly<Record<string, string>>): string {
  return writeVariables(values, { wholeNumbers: call.knows('0.37.8') });
}

/** The app's variables as Dokku reads them back. Fails the command, as Dokku does, where it cannot. */
export function variablesOf(call: Call, app: Pick<App, 'config'>): Record<string, string> {
  const text = variablesFile(call, app.config);
  try {
    return call.knows('0.37.8') ? readVariables(text) : readLines(text);
  } catch (error) {
    if (error instanceof UnreadableVariables) call.fail(error.message);
    throw error;
  }
}

/**
 * Why plugn cannot start a trigger with these variables in its environment, or null. It puts each value between quotes for bash
 * and escapes the quotes of the value, but not its backslashes (go-basher 5.1.8).
 */
export function shellFault(values: Readonly<Record<string, string>>): string | null {
  const bad = Object.values(values).some((value) => !/^(?:[^\\]|\\[^'])*$/s.test(value));
  return bad ? "/tmp/bashenv.1: line 23: syntax error near unexpected token `('" : null;
}
