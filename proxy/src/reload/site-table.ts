import { ruleTypes } from '@homeport/contract/proxies/facts';
import { compileSite, type ProxyDefinition, type RuleDefinition, type Site } from '@homeport/rules';
import { z } from 'zod';
import { type Place, Recency } from '../recency.ts';

/** A site as the table keeps it: JSON text of `{ source, records }`, compiled on first use. */
export type SiteText = { id: string; domain: string; owner: string; version: number; text: string };

/** A compiled site and the account whose shares its visitors use. */
export type ServedSite = Site & { owner: string };

export type SiteTable = {
  /** The site of a host, or null. Requests hold on to the site that they began with. */
  find(domain: string): ServedSite | null;
  /** Takes a newer site over. Gives the reason, and keeps the old site, when the new one cannot be served. */
  put(site: SiteText): string | null;
  /** Whether the proxy is served under this name, with whatever rules. */
  serves(proxy: Pick<SiteText, 'id' | 'domain'>): boolean;
  /** Takes a site over that was served before. It is compiled when a visitor asks for it, so a start costs no compiling. */
  restore(site: SiteText): void;
  /** Takes the site of this proxy away, unless the table has a newer one. */
  remove(proxy: { id: string; version: number }): void;
  /** Takes the site of a name away, unless the table has a newer one. */
  free(name: { domain: string; version: number }): void;
  /** Hears of each site that goes: its open sockets go with it. */
  onGone(heard: (siteId: string) => void): void;
  all(): Iterable<SiteText>;
  readonly size: number;
};

/** Compiled sites that are kept. Text takes a third of their memory. */
const compiledAtOnce = 2_000;

export function createSiteTable(): SiteTable {
  const texts = new Map<string, SiteText>();
  const domains = new Map<string, string>();
  const compiled = new Map<string, Place<ServedSite>>();
  const used = new Recency<ServedSite>();
  /** Restored texts that cannot be served. Compiling one again for each visitor would cost the others. */
  const refused = new WeakSet<SiteText>();
  let gone: (siteId: string) => void = () => undefined;

  function drop({ id, domain }: SiteText): void {
    if (texts.get(domain)?.id !== id) return;
    texts.delete(domain);
    forget(domain);
    domains.delete(id);
    gone(id);
  }

  function forget(domain: string): void {
    const known = compiled.get(domain);
    if (known === undefined) return;
    compiled.delete(domain);
    used.remove(known);
  }
  function remember(site: ServedSite): void {
    forget(site.domain);
    compiled.set(site.domain, used.add(site));
    const { oldest } = used;
    if (compiled.size > compiledAtOnce && oldest !== undefined) forget(oldest.domain);
  }

  return {
    find(domain) {
      const known = compiled.get(domain);
      if (known) {
        used.use(known);
        return known.value;
      }
      const text = texts.get(domain);
      if (text === undefined || refused.has(text)) return null;
      const site = compileText(text);
      if (typeof site === 'string') {
        refused.add(text);
        return null;
      }
      remember(site);
      return site;
    },
    put(site) {
      const before = texts.get(site.domain);
      if (before && before.version > site.version) return null;
      // What a plane was told, it reads once more.
      if (before && before.version === site.version && before.text === site.text && before.id === site.id)
        return null;
      const result = compileText(site);
      if (typeof result === 'string') return result;
      const oldDomain = domains.get(site.id);
      const moved = oldDomain !== undefined && oldDomain !== site.domain ? texts.get(oldDomain) : undefined;
      if (moved) drop(moved);
      if (before && before.id !== site.id) drop(before);
      texts.set(site.domain, site);
      domains.set(site.id, site.domain);
      // Only a site in use stays compiled.
      if (compiled.has(site.domain)) remember(result);
      return null;
    },
    serves: ({ id, domain }) => texts.get(domain)?.id === id,
    restore(site) {
      texts.set(site.domain, site);
      domains.set(site.id, site.domain);
    },
    remove({ id, version }) {
      const site = texts.get(domains.get(id) ?? '');
      if (site && site.version <= version) drop(site);
    },
    free({ domain, version }) {
      const site = texts.get(domain);
      if (site && site.version <= version) drop(site);
    },
    onGone(heard) {
      gone = heard;
    },
    all: () => texts.values(),
    get size() {
      return texts.size;
    },
  };
}

const recordSchema: z.ZodType<RuleDefinition> = z.object({
  id: z.string(),
  path: z.string(),
  type: z.enum(ruleTypes),
  target: z.string(),
  xForwardedHost: z.string().default(''),
  proxyPathPrefix: z.string().default(''),
  pathRewriteSrc: z.string().default(''),
  pathRewriteDest: z.string().default(''),
  injection: z.string().default(''),
});
const textSchema = z.object({ source: z.string(), records: z.array(recordSchema) });

/** The compiled site, or why there is none. */
function compileText({ id, domain, owner, text }: SiteText): ServedSite | string {
  let definition: ProxyDefinition;
  try {
    const read = textSchema.safeParse(JSON.parse(text));
    if (!read.success) return 'unreadable';
    definition = { id, domain, ...read.data };
  } catch {
    return 'unreadable';
  }
  const result = compileSite(definition);
  // A site whose owner is unknown counts as an account of its own.
  if ('site' in result) return { ...result.site, owner: owner || id };
  const [problem] = result.problems;
  return problem ? `${problem.rule} ${problem.field} ${problem.code}` : 'unreadable';
}
