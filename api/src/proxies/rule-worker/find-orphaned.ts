import { examination, type LeavingKind } from '@homeport/contract/proxies/facts';
import type { Leaving } from '@homeport/contract/proxies/schema';
import { Parser } from 'htmlparser2';
import type { Found, Place } from './jobs.ts';

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
const fetchCall = /fetch\(\s?["'`](\/[A-Za-z0-9_./~-]+)/g;
const importRule = /@import\s?["'](\/[A-Za-z0-9_~-][A-Za-z0-9_./~-]*)/g;
const styleUrl = /url\(\s?["']?(\/[A-Za-z0-9_~-][A-Za-z0-9_./~-]*)/g;

/**
 * Lists what leads out of the base in a page as the visitor gets it.
 *
 * @param html any ASCII-compatible charset, read as latin1
 */
export function findOrphaned(html: string, place: Place): Found {
  const { leaving, add } = collect(place);
  const pages = new Set<string>();
  const files = new Set<string>();
  let inside = '';
  const parser = new Parser({
    onopentag(name, attributes) {
      inside = name;
      for (const [attribute, value] of Object.entries(attributes)) {
        if (attribute === 'style') addStyles(value, add);
        if (!addressed.has(attribute)) continue;
        add(kinds[`${name} ${attribute}`] ?? 'asset', value);
        const path = pathUnder(value, place);
        if (path === null) continue;
        if (name === 'a' && pages.size < examination.pages) pages.add(path);
        const isCode = name === 'script' || (name === 'link' && loadsCode(attributes.rel));
        if (isCode && files.size < examination.files) files.add(path);
      }
    },
    ontext(text) {
      if (inside === 'style') addStyles(text, add);
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
  return { leaving: [...leaving.values()], pages: [...pages], files: [...files] };
}

/** Lists what leads out of the base in a stylesheet as the visitor gets it. */
export function findInStyle(css: string, place: Place): Leaving[] {
  const { leaving, add } = collect(place);
  addStyles(css, add);
  return [...leaving.values()];
}

/**
 * Lists addresses in a script's file that lead out of the base. A text such as `/item` can be anything in a program, so only what is
 * fetched and what lies in a folder is taken for an address.
 */
export function findInScript(script: string, place: Place): Leaving[] {
  const { leaving, add } = collect(place);
  for (const [, url = ''] of script.matchAll(fetchCall)) add('script', url);
  for (const [, url = ''] of script.matchAll(rootString)) if (url.lastIndexOf('/') > 0) add('script', url);
  return [...leaving.values()];
}

type Add = (kind: LeavingKind, value: string) => void;

/** Each address once, and no more of them than a person is shown: a page may have a hundred thousand. */
function collect(place: Place): { leaving: Map<string, Leaving>; add: Add } {
  const leaving = new Map<string, Leaving>();
  const add: Add = (kind, value) => {
    if (leaving.size >= examination.leaving || !leaves(value, place)) return;
    const shown = value.slice(0, shownCharacters);
    const proposal = proposalFor(kind, shown, place.base);
    leaving.set(`${kind} ${shown}`, { kind, page: place.page, value: shown, proposal });
  };
  return { leaving, add };
}

function addStyles(css: string, add: Add): void {
  for (const [, url = ''] of css.matchAll(styleUrl)) add('style', url);
  for (const [, url = ''] of css.matchAll(importRule)) add('style', url);
}

const loadsCode = (rel = '') => /\b(?:stylesheet|modulepreload)\b/i.test(rel);

/** The path of an address on the same domain and under the base, as a browser reads it on this page; null for any other address. */
function pathUnder(value: string, { page, base, domain }: Place): string | null {
  const here = `https://${domain}${page}`;
  if (value.startsWith('#') || !URL.canParse(value, here)) return null;
  const { hostname, protocol, pathname } = new URL(value, here);
  const isHere = hostname === domain && /^https?:$/.test(protocol) && pathname.startsWith(`${base}/`);
  return isHere ? pathname : null;
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
