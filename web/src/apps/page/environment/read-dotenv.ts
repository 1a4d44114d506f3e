export interface Dotenv {
  /** In the order of the file. If a key occurs twice, the last value counts. */
  values: ReadonlyMap<string, string>;
  /**
   * Line numbers, from 1, of lines that are not KEY=VALUE. Their text may be a secret, so it is not repeated.
   */
  badLines: readonly number[];
}

const assignment = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=[^\S\n]*/;

/**
 * Reads a .env file as dotenv does, including comments and `export`. Values in '…' are literal. In "…" the
 * escapes \n, \r, \t, \" and \\ are read. Quoted values may span several lines. Unquoted values are trimmed
 * and end at ` #`.
 */
export function readDotenv(text: string): Dotenv {
  const values = new Map<string, string>();
  const badLines: number[] = [];
  let rest = text.replaceAll('\r\n', '\n');
  let line = 1;
  const take = (length: number) => {
    line += rest.slice(0, length).split('\n').length - 1;
    rest = rest.slice(length);
  };
  while (rest !== '') {
    const lineEnd = (rest.indexOf('\n') + 1 || rest.length + 1) - 1;
    const whole = rest.slice(0, lineEnd);
    if (/^\s*(#.*)?$/.test(whole)) {
      take(lineEnd + 1);
      continue;
    }
    const found = assignment.exec(whole);
    if (!found?.[1]) {
      badLines.push(line);
      take(lineEnd + 1);
      continue;
    }
    const read = readValue(rest.slice(found[0].length));
    if (read) values.set(found[1], read.value);
    else badLines.push(line);
    take(read ? found[0].length + read.length : lineEnd + 1);
  }
  return { values, badLines };
}

const quoted = /^(?:'([^']*)'|"((?:[^"\\]|\\[\s\S])*)")[^\S\n]*(?:#[^\n]*)?(?:\n|$)/;
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/**
 * The value at the start of `text`, and the length read including its line end. null for a quote that never
 * ends.
 */
function readValue(text: string): { value: string; length: number } | null {
  const found = quoted.exec(text);
  if (found) {
    const [all, plain, escaped = ''] = found;
    const value = plain ?? escaped.replace(/\\([\s\S])/g, (_pair, char: string) => escapes[char] ?? char);
    return { value, length: all.length };
  }
  if (/^['"]/.test(text)) return null;
  const [line = ''] = text.split('\n', 1);
  const comment = line.search(/(?:^|\s)#/);
  return { value: (comment < 0 ? line : line.slice(0, comment)).trim(), length: line.length + 1 };
}
