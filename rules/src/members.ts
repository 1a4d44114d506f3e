/** What stands before an upstream's paths, and the path of its rule on the domain. */
type Mounted = { base: string; mount: string };

/**
 * The rules to whose targets links with one host may lead. A page may have tens of thousands of links and a site a thousand such rules,
 * so a link is looked up by the beginnings of its path.
 */
export type Members<R extends Mounted> = {
  /** All of them in their order. */
  rules: readonly R[];
  /** By a mount or a base: the first two rules that have it, because one of them may be the page's own. */
  byPrefix: ReadonlyMap<string, readonly { rule: R; order: number }[]>;
  /** The lengths of these prefixes. */
  lengths: readonly number[];
};

export function indexMembers<R extends Mounted>(rules: readonly R[]): Members<R> {
  const byPrefix = new Map<string, { rule: R; order: number }[]>();
  // A rule's own base is a prefix as well: its upstream may know its path on the domain already.
  for (const [order, rule] of rules.entries())
    for (const prefix of new Set(rule.base === '' ? [rule.mount] : [rule.mount, rule.base])) {
      const known = byPrefix.get(prefix) ?? [];
      if (known.length < 2) byPrefix.set(prefix, [...known, { rule, order }]);
    }
  return { rules, byPrefix, lengths: [...new Set([...byPrefix.keys()].map(({ length }) => length))] };
}

/** The first rule that gives the path back to the domain, beside the page's own rule. */
export function findMember<R extends Mounted>(
  { byPrefix, lengths }: Members<R>,
  path: string,
  own: R,
): R | null {
  let first: { rule: R; order: number } | null = null;
  for (const length of lengths) {
    if (length > path.length || (length < path.length && path.charAt(length) !== '/')) continue;
    for (const each of byPrefix.get(path.slice(0, length)) ?? [])
      if (each.rule !== own && (first === null || each.order < first.order)) first = each;
  }
  return first?.rule ?? null;
}
