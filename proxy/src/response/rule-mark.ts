import { createHash } from 'node:crypto';
import type { Rule, Site } from '@homeport/rules';

const marks = new WeakMap<Rule, string>();

/** Eight hex digits that change when what is done to the rule's pages changes: its snippet, and where its links lead. */
export function ruleMark(site: Site, rule: Rule): string {
  const known = marks.get(rule);
  if (known !== undefined) return known;
  const { base, target, mount, strips, injection, rewrite, xForwardedHost } = rule;
  const others = [...site.members].map(([host, { rules }]) => [
    host,
    rules.map((one) => [one.base, one.mount]),
  ]);
  const way =
    rewrite === null
      ? null
      : rewrite.kind === 'prefix'
        ? [rewrite.src, rewrite.dest]
        : [rewrite.pattern.toString(), rewrite.dest];
  const text = JSON.stringify([base, target.url, mount, strips, injection, xForwardedHost, way, others]);
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 8);
  marks.set(rule, mark);
  return mark;
}
