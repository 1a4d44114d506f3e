import type { LeavingKind } from '@homeport/contract/proxies/facts';
import type { Leaving } from '@homeport/contract/proxies/schema';
import { Parser } from 'htmlparser2';

/** The page that is looked at, and the path that it should stay under. */
type Place = { page: string; base: string; domain: string };

/** Attributes that hold an address, by the kind of what they lead to. */
const kinds: Record<string, LeavingKind> = {
  'a href': 'link',
  'area href': 'link',
  'form action': 'form',
  'button formaction': 'form',
  'input formaction': 'form',
};
const addressed = new Set(['href', 'src', 'action', 'formaction', 'poster', 'data']);

/** A longer address is cut: nobody reads more of it. */
const shownCharacters = 200;

/** Strings of scripts that begin at the root of the domain: `"/_next/`, `fetch('/api`. */
const rootString = /["'`](\/[A-Za-z0-9_~-][A-Za-z0-9_./~-]*)["'`?]/g;
const workerCall = /register\(\s?["'`](\/[A-Za-z0-9_./~-]+)/g;
const styleUrl = /url\(\s?["']?(\/[A-Za-z0-9_~-][A-Za-z0-9_./~-]*)/g;

/**
 * Lists what leads out of the base in a page as the visitor gets it, and the pages under the base that it links to.
 *
 * @param html any ASCII-compatible charset, read as latin1
 */
export function findLeaving(html: string, place: Place): { leaving: Leaving[]; pages: string[] } {
  const leaving: Leaving[] = [];
  const pages: string[] = [];
  const add = (kind: LeavingKind, value: string) => {
    if (!leaves(value, place)) return;
    leaving.push({
      kind,
      page: place.page,
      value: value.slice(0, shownCharacters),
      proposal: proposalFor(kind, value, place.base),
    });
  };
  let inside = '';
  const parser = new Parser({
    onopentag(name, attributes) {
      inside = name;
      for (const [attribute, value] of Object.entries(attributes)) {
        if (attribute === 'style') for (const [, url = ''] of value.matchAll(styleUrl)) add('style', url);
        if (!addressed.has(attribute)) continue;
        add(kinds[`${name} ${attribute}`] ?? 'asset', value);
        const path = value.split(/[?#]/, 1)[0] ?? '';
        if (name === 'a' && path.startsWith(`${place.base}/`)) pages.push(path);
      }
    },
    ontext(text) {
      if (inside === 'style') for (const [, url = ''] of text.matchAll(styleUrl)) add('style', url);
      if (inside !== 'script') return;
      if (text.includes('serviceWorker'))
        for (const [, url = ''] of text.matchAll(workerCall)) add('worker', url);
      for (const [, url = ''] of text.matchAll(rootString)) add('script', url);
    },
    onclosetag() {
      inside = '';
    },
  });
  parser.end(html);
  return { leaving, pages };
}

/** An address at the root of the domain, and not under the base. Addresses of other domains are meant. */
function leaves(value: string, { base, domain }: Place): boolean {
  const own = [`https://${domain}/`, `http://${domain}/`, `//${domain}/`].find((each) =>
    value.startsWith(each),
  );
  const path = own === undefined ? value : value.slice(own.length - 1);
  if (!path.startsWith('/') || path.startsWith('//')) return false;
  return path !== base && !path.startsWith(`${base}/`) && !path.startsWith(`${base}?`);
}

function proposalFor(kind: LeavingKind, value: string, base: string): string {
  const root = `/${value.replace(/^[a-z]*:?\/\/[^/]+/, '').split('/')[1] ?? ''}`;
  switch (kind) {
    case 'asset':
    case 'style':
    case 'script':
      return `Add a simple rule for ${root} with the same target before this one, or set the base path of the site’s framework to ${base}.`;
    case 'worker':
      return `A service worker at ${value} would act on the whole domain. Register it under ${base}/, or leave it out.`;
    case 'form':
    case 'link':
    case 'redirect':
    case 'cookie':
      return `Set the base path of the site’s framework to ${base}, or leave it if it is meant to lead out.`;
  }
}
