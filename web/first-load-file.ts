import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';
import { door, frame, program } from './documents.ts';

type Graph = Rolldown.ChunkingContext;

const react = /node_modules\/(?:react|react-dom|scheduler)\//;
/** What loads a module when it is needed: the bundler's own code. */
const loader = /vite\/preload-helper|rolldown\/runtime/;

/**
 * Which file a module of the first load goes into: a few larger ones load sooner than a file per set of pages that have
 * a module in common, and are smaller once compressed. null leaves it to the bundler.
 */
export function firstLoadFile(id: string, graph: Graph): string | null {
  if (id.endsWith('.css') && !id.includes('node_modules')) return styleFile(id, graph);
  if (loader.test(id)) return 'loader';
  if (react.test(id)) return 'react';
  const inDoor = closure(graph, door).has(id);
  const inProgram = id.endsWith(`/${program}`) || closure(graph, program).has(id);
  const inFrame = closure(graph, ...frame).has(id);
  const inHome = closure(graph, 'src/home/HomePage.tsx').has(id);
  // The program for the signed-in waits for nothing that it does not need itself, and is no part of another.
  if (inProgram) return inDoor ? 'calls' : 'signed-in';
  if (inDoor && (inFrame || inHome)) return 'every-page';
  if (inDoor) return null;
  if (inFrame) return 'frame';
  return inHome ? 'lists' : null;
}

/**
 * Which file a stylesheet goes into: one per stage of loading, each with a stylesheet of its own, so that a page asks for few
 * and no dialog asks for another. What the build draws is styled before its program is there.
 */
function styleFile(id: string, graph: Graph): string {
  const isIn = (...modules: string[]) => closure(graph, ...modules).has(id);
  // The layers are named first: styles.css is the first import of the first program.
  if (!id.endsWith('.module.css') || isIn(program) || isIn('src/home/WelcomeDialog.tsx')) return 'calls';
  if (isIn(door)) return 'every-page';
  return isIn(...frame) || isIn('src/home/HomePage.tsx') ? 'frame' : 'pages';
}

const known = new WeakMap<Graph, Map<string, ReadonlySet<string>>>();

/** What these modules import at once, directly or not; themselves left out, each stays a file of its own. */
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
