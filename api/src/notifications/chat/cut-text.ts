/** At most so many characters, counted as code points, so that no character is cut in two. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

/**
 * As many lines as fit, the first in any case, and then how many more there are.
 *
 * @param more pieces that have no line
 * @param sizeOf by default UTF-16 units, of which a text has at least as many as characters
 */
export function fitLines(
  lines: readonly string[],
  {
    most,
    more,
    sizeOf = (text) => text.length,
  }: { most: number; more: number; sizeOf?: (text: string) => number },
): string {
  for (let shown = lines.length; ; shown -= 1) {
    const left = lines.length - shown + more;
    const text = [...lines.slice(0, shown), ...(left > 0 ? [`And ${left} more.`] : [])].join('\n');
    if (shown <= 1 || sizeOf(text) <= most) return text;
  }
}
