import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const tokens = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

type Colour = { parts: readonly number[]; alpha: number };

/** Both colours of a token: `light-dark(…, …)` of hexadecimal colours or of `rgb(r g b / a)`. */
function coloursOf(token: string): Colour[] {
  const value = tokens.match(new RegExp(`^  ${token}: light-dark\\((.+)\\);`, 'm'))?.[1] ?? '';
  return value.split(', ').map((text) => {
    if (text.startsWith('#'))
      return { parts: [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16)), alpha: 1 };
    const [red = 0, green = 0, blue = 0, alpha = 1] = text.match(/[\d.]+/g)?.map(Number) ?? [];
    return { parts: [red, green, blue], alpha };
  });
}

test('the page beside a dialog’s scrim has the tone of the scrim over the page, by day and by night', () => {
  const [over, under, dimmed] = ['--overlay', '--bg', '--bg-dimmed'].map(coloursOf);
  expect(dimmed).toHaveLength(2);
  dimmed?.forEach(({ parts }, scheme) => {
    parts.forEach((part, at) => {
      const { parts: above = [], alpha = 0 } = over?.[scheme] ?? {};
      const below = under?.[scheme]?.parts[at] ?? Number.NaN;
      expect(Math.abs(part - ((above[at] ?? Number.NaN) * alpha + below * (1 - alpha)))).toBeLessThan(1);
    });
  });
});
