import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';
import { door, doorParts, frame, program } from './documents.ts';

type Graph = Rolldown.ChunkingContext;

/** The pages of one record, and the profile, each with a letter. They share much, and each is opened often. */
const recordPages = {
  a: 'src/apps/page/AppPage.tsx',
  d: 'src/databases/page/DatabasePage.tsx',
  n: 'src/domains/page/DomainPage.tsx',
  p: 'src/proxies/page/ProxyPage.tsx',
  s: 'src/servers/page/ServerPage.tsx',
  u: 'src/profile/ProfilePage.tsx',
} as const;

const react = /node_modules\/(?:react|react-dom|scheduler)\//;
/** The index of a package names all its modules. These are of the charts alone, so they go where the charts go. */
const chartsAlone = /query-core\/build\/modern\/queriesObserver|react-query\/build\/modern\/useQueries\./;
/** The bundler's own code that loads a module on demand. */
const loader = /vite\/preload-helper|rolldown\/runtime/;

/**
 * Names the file that a module of the first load goes into. By default the bundler makes a file for each set
 * of pages that share a module. A few larger files load sooner and compress better. null leaves the choice to
 * the bundler.
 */
export function firstLoadFile(id: string, graph: Graph): string | null {
  if (id.endsWith('.css') && !id.includes('node_modules')) return styleFile(id, graph);
  if (loader.test(id)) return 'loader';
  if (react.test(id)) return 'react';
  if (chartsAlone.test(id)) return null;
  const inDoor = closure(graph, door).has(id);
  const inProgram = id.endsWith(`/${program}`) || closure(graph, program).has(id);
  const inFrame = closure(graph, ...frame).has(id);
  const inHome = closure(graph, 'src/home/HomePage.tsx').has(id);
  // The signed-in program must not wait for modules that it does not need, so its modules get files of their
  // own.
  if (inProgram) return inDoor ? 'calls' : 'signed-in';
  if (inDoor && (inFrame || inHome)) return 'every-page';
  // A field is of every dialog, too. The forms of the signed-out are not.
  if (inDoor) return /\/src\/(?:auth|ui\/picture)\//.test(id) ? 'door' : null;
  if (inFrame) return 'frame';
  return inHome ? 'lists' : sharedFile(id, graph);
}

/**
 * Names the file of what several of the record pages need at their start: one file for each set of pages, so that none of them loads
 * what it does not need. By itself the bundler would also tell apart which dialogs need a module, and a page would ask for fifty files.
 */
function sharedFile(id: string, graph: Graph): string | null {
  if (id.includes('/node_modules/')) return null;
  // These files ask for the frame, which would start on a signed-out page.
  if (doorParts.some((part) => id.endsWith(`/${part}`)) || closure(graph, ...doorParts).has(id)) return null;
  const pages = Object.entries(recordPages).filter(([, page]) => closure(graph, page).has(id));
  return pages.length > 1 ? `shared-${pages.map(([letter]) => letter).join('')}` : null;
}

/**
 * Names the file that a stylesheet goes into. Each stage of loading has one stylesheet, so that a page
 * requests few and a dialog requests none. The drawn page is styled before its program has loaded.
 */
function styleFile(id: string, graph: Graph): string {
  const isIn = (...modules: string[]) => closure(graph, ...modules).has(id);
  // styles.css names the cascade layers and must load first: the first program imports it first.
  if (!id.endsWith('.module.css') || isIn(program) || isIn('src/home/WelcomeDialog.tsx')) return 'calls';
  if (isIn(door)) return 'every-page';
  return isIn(...frame) || isIn('src/home/HomePage.tsx') ? 'frame' : 'pages';
}

const known = new WeakMap<Graph, Map<string, ReadonlySet<string>>>();

/**
 * All that `modules` import statically, directly or indirectly. The modules themselves are left out, so that
 * each stays a file of its own.
 */
function closure(graph: Graph, ...modules: string[]): ReadonlySet<string> {
  const kept = known.get(graph) ?? new Map<string, ReadonlySet<string>>();
  known.set(graph, kept);
  const key = modules.join();
  const before = kept.get(key);
  if (before) return before;
  const found = new Set<string>();
  const add = (id: string) => {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) {
      if (found.has(imported)) continue;
      found.add(imported);
      add(imported);
    }
  };
  kept.set(key, found);
  for (const module of modules) add(fileURLToPath(new URL(module, import.meta.url)));
  return found;
}
