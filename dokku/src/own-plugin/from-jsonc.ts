/**
 * The value of JSON with comments and with a comma before the end of a list, as Dokku takes an app.json since 0.37. Undefined where the
 * text is none. One pass over the text: comments become blanks, and strings stay as they are.
 */
export function fromJsonc(text: string): unknown {
  const parts: string[] = [];
  let from = 0;
  /** The last character that is no blank, and where it stands in `parts` if it is a comma behind a value. */
  let last = '';
  let comma = -1;
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at);
    const end = endOf(text, at, character);
    if (character === '/' && end > at + 1) {
      parts.push(text.slice(from, at), ' ');
      from = end;
    } else if (character === ',') {
      parts.push(text.slice(from, at), ',');
      from = end;
      comma = '{[,:'.includes(last) ? -1 : parts.length - 1;
      last = character;
    } else if (!' \t\r\n'.includes(character)) {
      if (comma >= 0 && (character === ']' || character === '}')) parts[comma] = '';
      comma = -1;
      last = character;
    }
    at = end;
  }
  parts.push(text.slice(from));
  try {
    return JSON.parse(parts.join(''));
  } catch {
    return undefined;
  }
}

/** Where the comment, the string or the single character ends that begins here. */
function endOf(text: string, at: number, character: string): number {
  if (character === '"') return endOfString(text, at);
  if (character !== '/') return at + 1;
  if (text.startsWith('//', at)) return behind(text, text.indexOf('\n', at), 0);
  return text.startsWith('/*', at) ? behind(text, text.indexOf('*/', at + 2), 2) : at + 1;
}

const behind = (text: string, found: number, length: number) => (found < 0 ? text.length : found + length);

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
