import { randomBytes } from 'node:crypto';
import { safeJson } from '@homeport/contract/fields/safe-json';
import { mcpLimits } from '@homeport/contract/mcp/facts';
import { ProblemError } from '../http/problem.ts';

/** Text that a server, an app or a stranger wrote. A model must not take it for the words of its person. */
export class Untrusted {
  readonly source: string;
  readonly lines: readonly string[];

  constructor(source: string, lines: readonly string[]) {
    this.source = source;
    this.lines = lines;
  }
}

/** A text of one line; null stays null. */
export const untrusted = (source: string, text: string | null): Untrusted | null =>
  text === null ? null : new Untrusted(source, [text]);

/** How many characters one untrusted text may take. A whole answer that is too long is made anew with less. */
const rooms = [mcpLimits.answerCharacters / 2, 4_000, 1_000, 200];

/**
 * An answer as the model reads it: JSON in which each hidden character is spelled out, so that it shows and `JSON.parse` still gives the
 * same text. Untrusted text stands between two marks with a word that nobody knew when the text was written.
 */
export function render(
  value: object,
  word: string = randomBytes(9).toString('base64url'),
  room: number = rooms[0] ?? 0,
): string {
  const marked = (_key: string, each: unknown) => {
    if (!(each instanceof Untrusted)) return each;
    const { lines, leftOut } = newestWithin(each.lines, room);
    return {
      ...{ source: each.source, untrusted: true, ...(leftOut > 0 && { linesLeftOut: leftOut }) },
      text: `<untrusted ${word}>\n${lines.join('\n')}\n</untrusted ${word}>`,
    };
  };
  return safeJson(JSON.stringify(value, marked));
}

/** An answer within its bound. Untrusted texts make room for the rest. @throws ProblemError where that is too long already */
export function renderBounded(value: object): string {
  for (const room of rooms) {
    const text = render(value, undefined, room);
    if (text.length <= mcpLimits.answerCharacters) return text;
  }
  throw new ProblemError('too_large', `The answer is longer than ${mcpLimits.answerCharacters} characters.`, {
    recovery: 'Ask for less of it.',
  });
}

/** The newest lines that fit, each cut. One line is always there, so that no line can hide all others. */
function newestWithin(lines: readonly string[], room: number): { lines: readonly string[]; leftOut: number } {
  const taken: string[] = [];
  let left = room;
  for (const line of lines.toReversed()) {
    const short = cutLine(line, Math.min(mcpLimits.lineCharacters, room));
    left -= writtenLength(short);
    if (left < 0 && taken.length > 0) break;
    taken.push(short);
  }
  return { lines: taken.toReversed(), leftOut: lines.length - taken.length };
}

/** How long a text is with its hidden characters spelled out. */
const writtenLength = (text: string): number => safeJson(JSON.stringify(text)).length - 2;

/** A character takes six at most, as `\u001b`. */
const longestCharacter = 6;

function cutLine(line: string, most: number): string {
  if (line.length <= most && writtenLength(line) <= most) return line;
  const begin = line.slice(0, most);
  const short = writtenLength(begin) <= most ? begin : begin.slice(0, Math.floor(most / longestCharacter));
  return `${short}… (${line.length - short.length} characters left out)`;
}
