import type { Composed } from './compose-news.ts';
import { fitLines } from './cut-text.ts';

/** The text under the heading, for a service that shows texts as they are. */
export function plainText(
  { lines, facts, more }: Composed,
  { most, sizeOf }: { most: number; sizeOf?: (text: string) => number },
): string {
  const fits = { most, ...(sizeOf && { sizeOf }) };
  const [first, ...others] = lines;
  if (first === undefined) return '';
  if (others.length > 0 || more > 0)
    return fitLines(
      lines.map(({ text }) => withoutLinks(`- ${text}`)),
      { ...fits, more },
    );
  // The first line says what happened: facts that do not fit are on the page.
  const all = [first.text, ...facts.map(([name, value]) => `${name}: ${value}`)].map(withoutLinks);
  let kept = all;
  while (kept.length > 1 && (sizeOf ?? ((text) => text.length))(kept.join('\n')) > most)
    kept = kept.slice(0, -1);
  return kept.join('\n');
}

/**
 * Programs make links of what looks like one, and call whoever stands behind an `@`. A word joiner, which has no width, parts such texts
 * (Unicode 16, 23.2). Links that lead somewhere are sent apart from the text.
 */
export const withoutLinks = (text: string) => text.replace(/([@#/:.])(?=[\p{L}\p{N}/_])/gu, `$1\u2060`);
