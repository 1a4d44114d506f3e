/** Each whole JSON escape, so that a `u` after an escaped backslash does not begin an escape. */
const escapes = /\\(?:u[\da-f]{4}|.)/gi;
/** Escapes that a terminal obeys: C0 and DEL, except line breaks and tabs, which a stack has. */
const obeyed = /^\\(?:[bfr]|u00(?:[01][\da-f]|7f))$/i;
/**
 * Characters that JSON leaves unescaped and a terminal does not show: C1, invisible and bidirectional
 * characters.
 */
const raw = /[\u007f-\u009f\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Rewrites a JSON line of the log so that a terminal obeys nothing in it, because the line may quote a
 * server's own words. Each hidden character is spelled out, for example as `\u009b`. The spelling stays when
 * a tool formats the line for people.
 */
export function legibleLine(line: string): string {
  const written = line.includes('\\')
    ? line.replace(escapes, (found) => (obeyed.test(found) ? `\\${found}` : found))
    : line;
  return written.replace(raw, (character) => character.split('').map(spelled).join(''));
}

const spelled = (unit: string) => `\\\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
