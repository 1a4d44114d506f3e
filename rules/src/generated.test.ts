import { expect, it } from 'vitest';
import { compileSite } from './compile-site.ts';
import type { RuleDefinition } from './definition.ts';
import { resolvePath } from './resolve-path.ts';

const cases = 100_000;

/** mulberry32: the same numbers in each run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = randomNumbers(20_251_122);
const below = (limit: number) => Math.floor(random() * limit);
const oneOf = (words: readonly string[]): string => words[below(words.length)] ?? '';

const names = ['a', 'b', 'ab', 'A', 'x.y', 'a%2Fb', '%C3%A9'];
const odd = [
  '.',
  '..',
  '%2e',
  '%2E%2e',
  '',
  '%61',
  '%2f',
  'a%2fb',
  '%c3%a9',
  'a\\b',
  '..;',
  '%2e%2e%2fa',
  '...',
  '%',
  '%00',
  ';p',
];

const path = (words: readonly string[], longest: number) =>
  Array.from({ length: below(longest + 1) }, () => `/${oneOf(words)}`).join('');

function randomRule(index: number): RuleDefinition {
  const type = random() < 0.5 ? 'simple' : 'subdirectory';
  const rulePath = path(names, 2);
  const isRewritten = random() < 0.5;
  return {
    ...{
      id: `r${index}`,
      type,
      injection: '',
      xForwardedHost: '',
      target: `https://t${index}.test${path(['m', 'n'], 1)}`,
    },
    path: rulePath || (type === 'subdirectory' ? '/a' : '/'),
    proxyPathPrefix: oneOf(['', '', 'p', '/p', '/p/q/']),
    pathRewriteSrc: isRewritten ? (random() < 0.5 ? rulePath : '') + (path(names, 2) || '/') : '',
    pathRewriteDest: isRewritten ? oneOf(['', '/', '/d', '/d/e']) : '',
  };
}

function randomUrl(): string {
  const words = random() < 0.5 ? names : [...names, ...odd];
  return (path(words, 4) || '/') + oneOf(['', '', '/', '?', '?q=%2F']);
}

it('agrees with the slow and obvious reading in 100,000 random cases', () => {
  for (let left = cases / 20; left > 0; left -= 1) {
    const records = Array.from({ length: below(5) }, (_, index) => randomRule(index));
    const definition = { id: 'p', domain: 'd.test', source: 'https://s.test/home', records };
    const compiled = compileSite(definition);
    if ('problems' in compiled) throw new Error(JSON.stringify([compiled.problems, records]));
    for (let urls = 20; urls > 0; urls -= 1) {
      const url = randomUrl();
      const found = resolvePath(compiled.site, url);
      const fast = found && `${found.rule.id} ${found.upstream}`;
      const slow = obvious(records, url);
      // `expect` for each case would take longer than the cases.
      if (fast !== slow) expect({ url, records, found: fast }).toEqual({ url, records, found: slow });
    }
  }
}, 60_000);

/** The reference: lists of segments, each step as the rules' description says it. */
function obvious(records: readonly RuleDefinition[], url: string): string | null {
  const [, before = '', query = ''] = /^([^?]*)(\?.*)?$/s.exec(url) ?? [];
  const sent = obviousPath(before);
  if (sent === null) return null;
  const key = sent.map(comparable);
  for (const record of records) {
    const base = segmentsOf(record.path).map(comparable);
    if (!begins(key, base)) continue;
    let rest = record.type === 'subdirectory' ? oneLeading(sent.slice(base.length)) : sent;
    if (record.pathRewriteSrc !== '') {
      let src = segmentsOf(record.pathRewriteSrc).map(comparable);
      if (record.type === 'subdirectory' && begins(src, base)) src = src.slice(base.length);
      if (begins(rest.map(comparable), src))
        rest = oneLeading([...segmentsOf(record.pathRewriteDest), ...rest.slice(src.length)]);
    }
    const target = record.target.replace(/^https:\/\/[^/]*/, '');
    return `${record.id} ${[...segmentsOf(target), ...segmentsOf(record.proxyPathPrefix), ...rest].map((name) => `/${name}`).join('')}${query}`;
  }
  return `source ${['home', ...sent].map((name) => `/${name}`).join('')}${query}`;
}

function segmentsOf(text: string): string[] {
  return text.split('/').filter((name) => name !== '');
}

/** `['', 'x']` is `//x`, and becomes `/x`. Nothing at all is `/`. */
function oneLeading(segments: string[]): string[] {
  const first = segments.findIndex((name) => name !== '');
  return first < 0 ? [''] : segments.slice(first);
}

function begins(path: string[], prefix: string[]): boolean {
  return prefix.every((name, index) => path[index] === name);
}

function comparable(name: string): string {
  return name.replace(/%[0-9a-f]{2}/gi, (coded) => {
    const meant = String.fromCharCode(Number.parseInt(coded.slice(1), 16));
    return /[\w.~-]/.test(meant) ? meant : coded.toUpperCase();
  });
}

function obviousPath(text: string): string[] | null {
  if (/%(?![0-9a-f]{2})|%00/i.test(text)) return null;
  const kept: string[] = [];
  const all = text.slice(1).replaceAll('\\', '%5C').split('/');
  for (const [index, name] of all.entries()) {
    const plain = name.replace(/%2e/gi, '.');
    const isDots = plain === '.' || plain === '..';
    if (plain === '..' && /%2f|%5c/i.test(kept.pop() ?? '')) return null;
    if (isDots && index === all.length - 1) kept.push('');
    if (isDots) continue;
    let depth = 0;
    for (const part of name
      .replace(/%[0-9a-f]{2}/gi, (one) => String.fromCharCode(Number.parseInt(one.slice(1), 16)))
      .split(/[/\\]/)) {
      const bare = part.replace(/;.*$/s, '');
      depth += bare === '..' ? -1 : bare === '' || bare === '.' ? 0 : 1;
      if (depth < 0) return null;
    }
    kept.push(name);
  }
  return oneLeading(kept);
}
