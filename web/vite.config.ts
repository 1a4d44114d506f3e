import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { className } from './class-name.ts';
import { defined } from './defined.ts';
import { chunksOf, documentsPlugin, door, doorParts, frame } from './documents.ts';
import { firstLoadFile } from './first-load-file.ts';
import { scriptKbAtMost } from './page-budgets.ts';

/** The modules that each page with a budget needs at its start. */
const pages: { page: keyof typeof scriptKbAtMost; modules: readonly string[] }[] = [
  { page: '/login', modules: [door] },
  { page: '/login and what it loads later', modules: [door, ...doorParts] },
  { page: '/home', modules: [...frame, 'src/home/HomePage.tsx'] },
  { page: '/app', modules: [...frame, 'src/apps/page/AppPage.tsx'] },
  { page: '/domains', modules: [...frame, 'src/domains/list/DomainsPage.tsx'] },
  { page: '/domain', modules: [...frame, 'src/domains/page/DomainPage.tsx'] },
];

function budgetPlugin(): Plugin {
  return {
    name: 'page-budgets',
    apply: 'build',
    generateBundle(_options, bundle) {
      const beforePaint = readFileSync(new URL('./public/before-paint.js', import.meta.url), 'utf8');
      for (const { page, modules } of pages) {
        const limit = scriptKbAtMost[page] * 1000;
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
  define: defined,
  plugins: [react(), budgetPlugin(), documentsPlugin()],
  resolve: { alias: [{ find: /^crypto$/, replacement: emptyModule }] },
  css: { modules: { generateScopedName: className } },
  worker: { format: 'es' },
  server: {
    proxy: {
      // The console accepts sockets from its own origin only.
      '/api': { target: 'http://127.0.0.1:7070', ws: true, rewriteWsOrigin: true },
      '/monitor': { target: 'http://127.0.0.1:7070' },
    },
  },
  build: {
    outDir: 'dist',
    assetsInlineLimit: 0,
    target: 'es2023',
    // The palette uses light-dark(). These are the oldest browsers that know it.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // The function already decides which modules belong together. If a file took along all imports of
          // its modules, the first program would wait for modules that only the frame needs.
          groups: [{ name: firstLoadFile, debugName: 'first load', includeDependenciesRecursively: false }],
        },
      },
    },
  },
});
