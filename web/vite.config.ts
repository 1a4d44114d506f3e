import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { className } from './class-name.ts';
import { defined } from './defined.ts';
import { chunksOf, documentsPlugin, door, doorParts, frame } from './documents.ts';
import { firstLoadFile } from './first-load-file.ts';
import { scriptKbAtMost } from './page-budgets.ts';
import { createPreloads } from './preloads.ts';

/** The modules that each page with a budget needs at its start. */
const pages: { page: keyof typeof scriptKbAtMost; modules: readonly string[] }[] = [
  { page: '/login', modules: [door] },
  { page: '/login and what it loads later', modules: [door, ...doorParts] },
  { page: '/home', modules: [...frame, 'src/home/HomePage.tsx'] },
  { page: '/app', modules: [...frame, 'src/apps/page/AppPage.tsx'] },
  { page: '/apps/new', modules: [...frame, 'src/apps/new/NewAppPage.tsx'] },
  { page: '/database', modules: [...frame, 'src/databases/page/DatabasePage.tsx'] },
  { page: '/domains', modules: [...frame, 'src/domains/list/DomainsPage.tsx'] },
  { page: '/domain', modules: [...frame, 'src/domains/page/DomainPage.tsx'] },
  { page: '/profile', modules: [...frame, 'src/profile/ProfilePage.tsx'] },
  { page: '/proxy', modules: [...frame, 'src/proxies/page/ProxyPage.tsx'] },
  { page: '/server', modules: [...frame, 'src/servers/page/ServerPage.tsx'] },
];

function budgetPlugin(): Plugin {
  const beforePaint = readFileSync(new URL('./public/before-paint.js', import.meta.url), 'utf8');
  return {
    name: 'page-budgets',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      // After Vite has written the lists of files that are fetched beforehand, which count as well.
      order: 'post',
      handler(_options, bundle) {
        for (const { page, modules } of pages) {
          const limit = scriptKbAtMost[page] * 1000;
          const scripts = [beforePaint, ...chunksOf(bundle, modules).map(({ code }) => code)];
          const size = scripts.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0);
          const line = `${page}: ${(size / 1000).toFixed(1)} kB of ${limit / 1000} kB script`;
          if (size > limit) this.error(`${line}: over its budget.`);
          this.info(line);
        }
      },
    },
  };
}

const preloads = createPreloads();

/**
 * tweetnacl requires Node's `crypto` where a browser has none, which is never. The bundler's stand-in for `require` would be in the first
 * load of every page.
 */
function withoutNodeCrypto(): Plugin {
  return {
    name: 'without-node-crypto',
    apply: 'build',
    transform: {
      filter: { id: /\/tweetnacl\/nacl-fast\.js$/ },
      handler(code) {
        const without = code
          .replace("typeof require !== 'undefined'", 'false')
          .replace("require('crypto')", 'null');
        if (without.includes('require')) this.error('tweetnacl requires something else.');
        return { code: without, map: null };
      },
    },
  };
}

export default defineConfig({
  define: defined,
  plugins: [react(), withoutNodeCrypto(), preloads.plugin, budgetPlugin(), documentsPlugin()],
  resolve: {
    alias: [
      // The shims carry a copy of the hook for a React that lacks it.
      {
        find: 'use-sync-external-store/shim/with-selector',
        replacement: 'use-sync-external-store/with-selector',
      },
      { find: /^use-sync-external-store\/shim$/, replacement: 'use-sync-external-store' },
    ],
  },
  css: { modules: { generateScopedName: className } },
  worker: { format: 'es', plugins: () => [withoutNodeCrypto()] },
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
    modulePreload: { polyfill: false, resolveDependencies: preloads.missing },
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
