import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** What a visitor's browser must fetch before the page can be used, in bytes after gzip. */
const budgets: { page: string; entry: string; limit: number }[] = [
  { page: '/login', entry: 'src/auth/LoginPage.tsx', limit: 120_000 },
  { page: '/home', entry: 'src/home/HomePage.tsx', limit: 200_000 },
  { page: '/app', entry: 'src/apps/AppPage.tsx', limit: 200_000 },
];

/** What the small entry asks for first. */
const program = 'src/main.tsx';

/** Modules that a signed-in page needs besides its own: the frame around it. */
const frame = 'src/shell/Shell.tsx';

interface Chunk {
  type: 'chunk' | 'asset';
  fileName: string;
  isEntry?: boolean;
  facadeModuleId?: string | null;
  imports?: string[];
  code?: string;
}

function budgetPlugin(): Plugin {
  return {
    name: 'page-budgets',
    generateBundle(_options, bundle) {
      const chunks = (Object.values(bundle) as Chunk[]).filter((file) => file.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const ofModule = (path: string) => chunks.find((chunk) => chunk.facadeModuleId?.endsWith(path));
      for (const { page, entry, limit } of budgets) {
        const roots = [chunks.find((chunk) => chunk.isEntry), ofModule(program), ofModule(entry)];
        if (page !== '/login') roots.push(ofModule(frame));
        const seen = new Set<string>();
        const walk = (chunk: Chunk | undefined): number => {
          if (!chunk || seen.has(chunk.fileName)) return 0;
          seen.add(chunk.fileName);
          const own = gzipSync(chunk.code ?? '').length;
          return (chunk.imports ?? []).reduce((sum, name) => sum + walk(byName.get(name)), own);
        };
        if (!roots.every(Boolean))
          this.error(`The budget of ${page} names a chunk that is not in the bundle.`);
        const size = roots.reduce((sum, root) => sum + walk(root), 0);
        const line = `${page}: ${(size / 1000).toFixed(1)} kB of ${limit / 1000} kB script`;
        if (size > limit) this.error(`${line}: over its budget.`);
        this.info(line);
      }
    },
  };
}

/** Preloads what every first paint needs: the program, and the latin face of the interface. */
function preloadFirst(): Plugin {
  return {
    name: 'preload-first',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const face = Object.keys(bundle).find((name) => /atkinson.*-latin-wght-normal.*\.woff2$/.test(name));
        const chunk = (Object.values(bundle) as Chunk[]).find((file) =>
          file.facadeModuleId?.endsWith(program),
        );
        const scripts = chunk ? [chunk.fileName, ...(chunk.imports ?? [])] : [];
        const links: Record<string, string>[] = scripts.map((name) => ({
          rel: 'modulepreload',
          crossorigin: '',
          href: `/${name}`,
        }));
        if (face)
          links.push({ rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${face}` });
        return links.map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const }));
      },
    },
  };
}

const everyPage =
  /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?:(?:react-)?(?:router|query|store)|router-core|query-core))\//;
const emptyModule = fileURLToPath(new URL('./src/empty-module.ts', import.meta.url));

export default defineConfig({
  plugins: [react(), preloadFirst(), budgetPlugin()],
  resolve: { alias: [{ find: /^crypto$/, replacement: emptyModule }] },
  worker: { format: 'es' },
  server: {
    proxy: {
      '/api': { target: 'http://127.0.0.1:7070', ws: true },
      '/monitor': { target: 'http://127.0.0.1:7070' },
    },
  },
  build: {
    outDir: 'dist',
    assetsInlineLimit: 0,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // One file that every page needs: fewer requests than a file per set of pages, and smaller once compressed.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'libraries', test: everyPage }] } } },
  },
});
