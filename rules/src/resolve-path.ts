import type { Rule, Site } from './compile-site.ts';
import { type NormalPath, normalisePath } from './normalise-path.ts';
import { afterSegments, covers, withOneLeadingSlash } from './path-parts.ts';
import { applyRewrite, takesLength } from './rewrite.ts';

/** What a request's URL means on a site. */
export type Resolved = {
  rule: Rule;
  /** The visitor's path in its normal form, and the query with its `?`, byte for byte. */
  path: NormalPath;
  query: string;
  /** Path and query for the upstream. */
  upstream: string;
  /** The request is for the base of a subdirectory rule, without the slash: `/blog`. A page's relative links would leave it. */
  isBareBase: boolean;
};

/** Finds the rule of a URL and what its upstream gets. Null for a URL that is refused with 400. `url` is path and query. */
export function resolvePath(site: Site, url: string): Resolved | null {
  const mark = url.indexOf('?');
  const query = mark < 0 ? '' : url.slice(mark);
  if (/[^\x21-\x7e]|#/.test(query)) return null;
  const path = normalisePath(mark < 0 ? url : url.slice(0, mark));
  const rule = path && findRule(site, path.compared);
  if (!path || !rule) return null;
  const upstream = upstreamPath(rule, path);
  if (upstream === null) return null;
  const isBareBase = rule.strips && path.compared.length === rule.base.length;
  return { rule, path, query, upstream: upstream + query, isBareBase };
}

/** The first rule that fits. The source fits every path, so a compiled site always has one. */
function findRule(site: Site, compared: string): Rule | undefined {
  for (const rule of site.rules) if (covers(rule.base, compared)) return rule;
  return undefined;
}

/** Strip, rewrite, prefix. Null when the path is too long for the pattern, or the pattern made a path that is refused. */
function upstreamPath(rule: Rule, path: NormalPath): string | null {
  const { sent, compared } = rule.strips ? strip(rule, path) : path;
  if (rule.rewrite === null) return rule.mount + sent;
  if (!takesLength(rule.rewrite, compared)) return null;
  const rewritten = applyRewrite(rule.rewrite, sent, compared);
  if (rule.rewrite.kind === 'prefix') return rule.mount + rewritten;
  const normal = normalisePath(rewritten);
  return normal && rule.mount + normal.sent;
}

/** The path below a subdirectory rule's base, as its upstream knows it. */
export function strip(rule: Rule, { sent, compared }: NormalPath): NormalPath {
  return {
    sent: withOneLeadingSlash(afterSegments(sent, rule.segments)),
    compared: withOneLeadingSlash(compared.slice(rule.base.length)),
  };
}

/** Whether `/blog` is answered with a redirect to `/blog/`: for browsers that ask for a page. Other programs get the page at once. */
export function redirectsBareBase(method: string, accept: string | undefined): boolean {
  return (method === 'GET' || method === 'HEAD') && (accept ?? '').toLowerCase().includes('text/html');
}
