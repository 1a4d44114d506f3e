import { createRequire } from 'node:module';

/**
 * Takes what the console keeps of a package of data, in a compact form of its own, and lets the package go: what `import` reads stays in
 * memory for ever, text and all. `name` is that of a CommonJS module.
 */
export function takeData<Loaded, Kept>(name: string, compact: (loaded: Loaded) => Kept): Kept {
  // Holds all that it loads, so it ends with this function.
  const load = createRequire(import.meta.url);
  const before = new Set(Object.keys(load.cache));
  try {
    return compact(load(name) as Loaded);
  } finally {
    for (const path of Object.keys(load.cache)) if (!before.has(path)) delete load.cache[path];
  }
}
