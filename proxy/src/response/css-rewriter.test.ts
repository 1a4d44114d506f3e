import { compileSite } from '@homeport/rules';
import { describe, expect, it } from 'vitest';
import { createCssRewriter } from './css-rewriter.ts';

const target = 'https://origin.test';
const empty = {
  xForwardedHost: '',
  proxyPathPrefix: '',
  pathRewriteSrc: '',
  pathRewriteDest: '',
  injection: '',
};
const compiled = compileSite({
  ...{ id: 'p', domain: 'example.test', source: target },
  records: [{ id: 'r', path: '/blog', type: 'subdirectory', target, ...empty }],
});
if (!('site' in compiled)) throw new Error('The site has to be valid.');
const [rule] = compiled.site.rules;
if (!rule) throw new Error('The site has to have a rule.');
const place = { site: compiled.site, rule, origin: 'http://example.test' };

/** Milliseconds of processor time for a stylesheet that comes byte by byte. */
function processorMs(begin: string, fill: string, bytes: number): number {
  const rewriter = createCssRewriter(place);
  const before = process.cpuUsage();
  let out = rewriter.write(begin);
  for (let left = bytes; left > 0; left -= 1) out += rewriter.write(fill);
  out += rewriter.end();
  const { user, system } = process.cpuUsage(before);
  expect(out).toHaveLength(begin.length + bytes);
  return (user + system) / 1_000;
}

describe('a stylesheet that comes byte by byte', () => {
  it.each([
    ['an address that does not end', 'a{b:url(', 'x'],
    ['an import that does not end', '@import "', 'x'],
    ['an import that does not begin', '@import', ' '],
  ])('takes time in proportion to its length with %s', (_what, begin, fill) => {
    processorMs(begin, fill, 4_000);
    const short = Math.min(...[1, 2, 3].map(() => processorMs(begin, fill, 15_000)));
    const long = Math.min(...[1, 2, 3].map(() => processorMs(begin, fill, 60_000)));
    // Four times the length. Reading all again for each byte takes sixteen times as long.
    expect(long).toBeLessThan(Math.max(short, 5) * 9);
  });

  it('has every address changed, whatever stands open in it', () => {
    const css = '@import "url(/a.css" screen;a{b:url(/c.png);d:url(@import "/e.css")}@imp{}url(/f)';
    const whole = createCssRewriter(place);
    const expected = whole.write(css) + whole.end();
    const rewriter = createCssRewriter(place);
    let out = '';
    for (const character of css) out += rewriter.write(character);
    expect(out + rewriter.end()).toBe(expected);
    expect(expected).toContain('url(/blog/c.png)');
  });
});
