import type { Plugin, Rolldown } from 'vite';
import { documentedPages } from './documents.ts';

/**
 * A file that loads a part on demand names the files that the part needs, so that the browser fetches all of them at once. By default
 * these lists are some kB of the first load of each page. Two kinds of files can be left out: those that the asking file has imported
 * itself, such as React, and those of a page whose document asks for them.
 */
export function createPreloads() {
  const imports = new Map<string, readonly string[]>();
  const pages = new Set<string>();
  const plugin: Plugin = {
    name: 'preloads',
    apply: 'build',
    // Before Vite writes the lists, in the same step.
    generateBundle: {
      order: 'pre',
      handler(_options, bundle: Rolldown.OutputBundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue;
          imports.set(file.fileName, file.imports);
          if (documentedPages.some((page) => file.facadeModuleId?.endsWith(`/${page}`)))
            pages.add(file.fileName);
        }
        if (imports.size > 0 && pages.size !== documentedPages.length)
          this.error('A page with a document has no file of its own.');
      },
    },
  };
  /** What a file imports, directly and indirectly, with the file. */
  const closure = (file: string, found = new Set<string>()): ReadonlySet<string> => {
    if (found.has(file)) return found;
    found.add(file);
    for (const imported of imports.get(file) ?? []) closure(imported, found);
    return found;
  };
  return {
    plugin,
    /** The files of `dependencies` that are to be fetched with `file` when the file `hostId` asks for it. */
    missing(file: string, dependencies: string[], { hostId }: { hostId: string }): string[] {
      if (pages.has(file)) return [];
      const present = closure(hostId);
      return dependencies.filter((dependency) => !present.has(dependency));
    },
  };
}
