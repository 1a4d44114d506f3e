import { proxyLimits } from '@homeport/contract/proxies/facts';
import { RE2JS } from 're2js';
import {
  afterSegments,
  countSegments,
  covers,
  withOneLeadingSlash,
  withoutTrailingSlash,
} from './path-parts.ts';
import { estimateInstructions, longestPath } from './pattern-cost.ts';

export type Rewrite =
  | { kind: 'prefix'; src: string; segments: number; dest: string; destBase: string }
  /** `instructions` is the size of the program, `longest` the longest path that it takes. */
  | { kind: 'pattern'; pattern: RE2JS; dest: string; instructions: number; longest: number };

export type RewriteRefusal = 'pattern' | 'size' | 'group' | 'path';

/** `^/old`, `^/old/` and `^/old(.*)` with `$1` mean the plain prefix `/old`, which costs less and has an inverse. */
const plainPattern = /^\^((?:\/[A-Za-z0-9_~-]+)+)(\/?|\(\.\*\))$/;

/**
 * Compiles a rewrite. Null when there is none.
 *
 * @param base the rule's path where the rule takes it away, else ''. A prefix that begins with it is read relative to it.
 */
export function compileRewrite(
  src: string,
  dest: string,
  base: string,
): { rewrite: Rewrite | null } | { refused: RewriteRefusal } {
  if (src === '') return { rewrite: null };
  const to = dest === '' ? '/' : dest;
  if (!to.startsWith('/') || /[^\x21-\x7e]|[?#\\]/.test(to)) return { refused: 'path' };
  if (!src.startsWith('^')) return { rewrite: prefixRewrite(src, to, base) };
  const plain = plainPattern.exec(src);
  const [, prefix = '', rest = ''] = plain ?? [];
  if (plain && rest !== '(.*)' && !to.includes('$')) return { rewrite: prefixRewrite(prefix, to, base) };
  if (plain && rest === '(.*)' && to.indexOf('$') === to.length - 2 && to.endsWith('$1'))
    return { rewrite: prefixRewrite(prefix, to.slice(0, -2) || '/', base) };
  return compilePattern(src, to);
}

function prefixRewrite(src: string, dest: string, base: string): Rewrite {
  const whole = withoutTrailingSlash(src.startsWith('/') ? src : `/${src}`);
  const from = base !== '' && covers(base, whole) ? whole.slice(base.length) : whole;
  return {
    kind: 'prefix',
    src: from,
    segments: countSegments(from),
    dest,
    destBase: withoutTrailingSlash(dest),
  };
}

function compilePattern(src: string, dest: string): { rewrite: Rewrite } | { refused: RewriteRefusal } {
  const estimate = estimateInstructions(src);
  if (estimate > proxyLimits.patternInstructions) return { refused: 'size' };
  try {
    const pattern = RE2JS.compile(src);
    const instructions = Math.max(estimate, pattern.programSize());
    if (instructions > proxyLimits.patternInstructions) return { refused: 'size' };
    const groups = pattern.groupCount();
    for (const [, number] of dest.matchAll(/\$([0-9])/g))
      if (Number(number) > groups) return { refused: 'group' };
    const longest = longestPath(instructions);
    return { rewrite: { kind: 'pattern', pattern, dest, instructions, longest } };
  } catch {
    return { refused: 'pattern' };
  }
}

/** Whether the path is short enough: a pattern's work grows with the length of the path. */
export const takesLength = (rewrite: Rewrite, compared: string): boolean =>
  rewrite.kind === 'prefix' || compared.length <= rewrite.longest;

/** Applies a rewrite once. `sent` and `compared` are the two forms of one path, and begin with `/`. */
export function applyRewrite(rewrite: Rewrite, sent: string, compared: string): string {
  if (rewrite.kind === 'prefix') {
    if (!covers(rewrite.src, compared)) return sent;
    const rest = afterSegments(sent, rewrite.segments);
    return withOneLeadingSlash(rest === '' ? rewrite.dest : rewrite.destBase + rest);
  }
  const matcher = rewrite.pattern.matcher(compared);
  if (!matcher.find()) return sent;
  const filled = rewrite.dest.replace(
    /\$([0-9])/g,
    (_whole, group: string) => matcher.group(Number(group)) ?? '',
  );
  return withOneLeadingSlash(filled + compared.slice(matcher.end(0)));
}

/** The way back of a prefix rewrite. Null for a path that the rewrite does not make. */
export function invertRewrite(rewrite: Rewrite, path: string): string | null {
  if (rewrite.kind !== 'prefix' || !covers(rewrite.destBase, path)) return null;
  return rewrite.src + path.slice(rewrite.destBase.length);
}
