/** In place of a password. */
const concealed = '••••••';

/**
 * The text with the password of each connection string concealed. `create`, `link`, `promote`, `info` and `start` print such
 * strings, and so does a message that quotes one. The password runs from the first colon after `://` to the last `@` of the
 * word, because the plugins escape nothing in it. On a line that holds nothing but a connection string, it runs to the last `@`
 * of the line, so that a password may have blanks. Reads each character a fixed number of times.
 */
export function withoutSecrets(text: string): string {
  return text.split('\n').map(concealLine).join('\n');
}

function concealLine(line: string): string {
  const [before = '', ...parts] = line.split('://');
  if (parts.length === 0) return line;
  if (holdsOneString(before)) return `${before}://${concealIn(parts.join('://'))}`;
  return [before, ...parts.map(concealWord)].join('://');
}

/** `       Dsn:          postgres`, `       DATABASE_URL:  postgres` and `DATABASE_URL=postgres`. */
function holdsOneString(before: string): boolean {
  const [label = ''] = before.trimStart().split(/[:=]/, 1);
  return label === 'Dsn' || (label.endsWith('_URL') && !label.includes(' '));
}

/** Conceals the password of a string that reaches from the beginning of the text to its first blank. */
function concealWord(text: string): string {
  const end = text.search(/\s/);
  return end < 0 ? concealIn(text) : concealIn(text.slice(0, end)) + text.slice(end);
}

function concealIn(text: string): string {
  const [colon, at] = [text.indexOf(':'), text.lastIndexOf('@')];
  return colon < 0 || at < colon ? text : `${text.slice(0, colon + 1)}${concealed}${text.slice(at)}`;
}
