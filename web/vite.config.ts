import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { chunksOf, documentsPlugin, door, frame } from './documents.ts';
import { firstLoadFile } from './first-load-file.ts';

/** What a visitor's browser must fetch before the page can be used, in bytes after gzip. */
const budgets: { page: string; modules: readonly string[]; limit: number }[] = [
  { page: '/login', modules: [door], limit: 120_000 },
  { page: '/home', modules: [...frame, 'src/home/HomePage.tsx'], limit: 200_000 },
  { page: '/app', modules: [...frame, 'src/apps/AppPage.tsx'], limit: 200_000 },
];

function budgetPlugin(): Plugin {
  return {
    name: 'page-budgets',
    apply: 'build',
    generateBundle(_options, bundle) {
      const beforePaint = readFileSync(new URL('./public/before-paint.js', import.meta.url), 'utf8');
      for (const { page, modules, limit } of budgets) {
        const scripts = [beforePaint, ...chunksOf(bundle, modules).map(({ code }) => code)];
        const size = scripts.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0);
        const line = `${page}: ${(size / 1000).toFixed(1)} kB of ${limit / 1000} kB script`;
        if (size > limit) this.error(`${line}: over its budget.`);
        this.info(line);
      }
    },
  };
}

const emptyModule = fileURLToPath(new URL('./src/empty-module.ts', import.meta.url));

export default defineConfig({
  plugins: [react(), budgetPlugin(), documentsPlugin()],
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
    rolldownOptions: {
      output: {
        codeSplitting: {
          // The function knows what belongs together: a file that took along all that its modules import would have
          // the first program wait for what the frame alone needs.
          groups: [{ name: firstLoadFile, debugName: 'first load', includeDependenciesRecursively: false }],
        },
      },
    },
  },
});
