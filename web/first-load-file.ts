import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';
import { door, frame, program } from './documents.ts';

type Graph = Rolldown.ChunkingContext;

const react = /node_modules\/(?:react|react-dom|scheduler)\//;
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
  const inDoor = closure(graph, door).has(id);
  const inProgram = id.endsWith(`/${program}`) || closure(graph, program).has(id);
  const inFrame = closure(graph, ...frame).has(id);
  const inHome = closure(graph, 'src/home/HomePage.tsx').has(id);
  // The signed-in program must not wait for modules that it does not need, so its modules get files of their
  // own.
  if (inProgram) return inDoor ? 'calls' : 'signed-in';
  if (inDoor && (inFrame || inHome)) return 'every-page';
  if (inDoor) return null;
  if (inFrame) return 'frame';
  return inHome ? 'lists' : null;
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
