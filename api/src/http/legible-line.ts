/** Each escape of JSON, so that a `u` after an escaped backslash is not taken for one. */
const escapes = /\\(?:u[\da-f]{4}|.)/gi;
/** Those that a terminal obeys: C0 and DEL, but for line breaks and tabs, which a stack has. */
const obeyed = /^\\(?:[bfr]|u00(?:[01][\da-f]|7f))$/i;
/** What JSON lets stand as it is and a terminal does not show: C1, and invisible and bidirectional characters. */
const raw = /[\u007f-\u009f\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * A line of the log, which is JSON, without anything that a terminal would obey: a server's own words may be in it. What
 * was hidden stands in the text as `\u009b`, in those characters, also once the line is made readable for people.
 */
export function legibleLine(line: string): string {
  const written = line.includes('\\')
    ? line.replace(escapes, (found) => (obeyed.test(found) ? `\\${found}` : found))
    : line;
  return written.replace(raw, (character) => character.split('').map(spelled).join(''));
}

const spelled = (unit: string) => `\\\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
