import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type Rolldown } from 'vite';
import { className } from './class-name.ts';
import { defined } from './defined.ts';
import { firstKeys } from './src/data/first-keys.ts';
import type * as Drawn from './src/prerendered.tsx';
import type { EntryPath } from './src/shell/navigation/entries.ts';

/**
 * The build writes a document for each frequently opened address. index.html serves every other address. Such
 * a document requests everything that its page needs at once, not in turns. The build also draws the page
 * into the document: the forms of the signed-out pages, the frame of the signed-in pages without personal
 * data. The launcher chooses the document by the address's name: from `signed-out/` for a browser without a
 * session, from `signed-in/` for the others.
 */
interface PageDocument {
  /** A path below the output folder. */
  file: string;
  /** The document's program, followed by the modules that the program would request next. */
  modules: readonly [program: string, ...parts: string[]];
  /** The addresses that the page reads first. The browser hands the answers to the program's own calls. */
  data?: readonly string[];
  draw: (program: typeof Drawn) => string;
  /** Drawn into a `<template>`: the browser does not show it until the program takes it. */
  template?: { id: string; draw: (program: typeof Drawn) => string };
}

/**
 * The programs of the pages: one for signed-out, one for signed-in browsers. The signed-in program loads the
 * frame.
 */
export const door = 'src/signed-out.tsx';
const signUp = 'src/auth/SignupPage.tsx';
/** What the signed-out program loads later. It must not bring the frame along. */
export const doorParts = [
  signUp,
  'src/auth/ConfirmEmailPage.tsx',
  'src/auth/ForgotForm.tsx',
  'src/auth/ResetPasswordPage.tsx',
  'src/auth/SecondStepForm.tsx',
  'src/auth/VerifyEmailPage.tsx',
  'src/auth/github-sign-in.ts',
  'src/auth/passkey-sign-in.ts',
] as const;
export const program = 'src/main.ts';
export const frame = [program, 'src/frame.tsx'] as const;

const dataOf = (path: string) => ['/api/session', ...firstKeys(path).map((key) => key.slice('GET '.length))];

/**
 * The pages of the frame by the names of their documents, with the module and the entry of the sidebar. A name is that of the address, with
 * `-` for `/`; `record` stands for a part that names a record.
 */
const framePages: Record<string, { page: string; entry: EntryPath | null }> = {
  apps: { page: 'src/apps/list/AppsPage.tsx', entry: '/apps' },
  'apps-new': { page: 'src/apps/new/NewAppPage.tsx', entry: '/apps' },
  'app-record-record': { page: 'src/apps/page/AppPage.tsx', entry: '/apps' },
  'app-record-record-chart-record': { page: 'src/charts/AppChartPage.tsx', entry: '/apps' },
  console: { page: 'src/console/ConsolePage.tsx', entry: null },
  databases: { page: 'src/databases/list/DatabasesPage.tsx', entry: '/databases' },
  'databases-new': { page: 'src/databases/new/NewDatabasePage.tsx', entry: '/databases' },
  'databases-record': { page: 'src/databases/page/DatabasePage.tsx', entry: '/databases' },
  'databases-record-chart-record': { page: 'src/charts/DatabaseChartPage.tsx', entry: '/databases' },
  device: { page: 'src/device/DevicePage.tsx', entry: null },
  domains: { page: 'src/domains/list/DomainsPage.tsx', entry: '/domains' },
  'domain-record': { page: 'src/domains/page/DomainPage.tsx', entry: '/domains' },
  notifications: { page: 'src/notifications/list/NotificationsPage.tsx', entry: null },
  profile: { page: 'src/profile/ProfilePage.tsx', entry: null },
  promos: { page: 'src/promos/PromosPage.tsx', entry: '/promos' },
  proxies: { page: 'src/proxies/list/ProxiesPage.tsx', entry: '/proxies' },
  'proxies-new': { page: 'src/proxies/new/NewProxyPage.tsx', entry: '/proxies' },
  'proxy-record': { page: 'src/proxies/page/ProxyPage.tsx', entry: '/proxies' },
  servers: { page: 'src/servers/list/ServersPage.tsx', entry: '/servers' },
  'server-record': { page: 'src/servers/page/ServerPage.tsx', entry: '/servers' },
  'server-record-chart-record': { page: 'src/charts/ServerChartPage.tsx', entry: '/servers' },
  'ssh-keys': { page: 'src/credentials/CredentialsPage.tsx', entry: '/ssh-keys' },
  'ssh-keys-new': { page: 'src/credentials/NewCredentialPage.tsx', entry: '/ssh-keys' },
  'status-pages': { page: 'src/status-pages/StatusPages.tsx', entry: null },
};

const homePage = 'src/home/HomePage.tsx';
/** The pages whose documents ask for all their files. */
export const documentedPages: readonly string[] = [
  homePage,
  ...Object.values(framePages).map(({ page }) => page),
];

/** `server-record` is the document of `/server/record`, and of each other record. */
const addressOf = (name: string) => `/${name.replaceAll(/-(?=record|new|chart)/g, '/')}`;

const framePage = (name: string, page: string, entry: EntryPath | null): PageDocument => ({
  file: `signed-in/${name}.html`,
  modules: [...frame, page],
  data: dataOf(addressOf(name)),
  draw: ({ drawFrame }) => drawFrame(entry),
});

const pageDocuments: readonly PageDocument[] = [
  {
    file: 'signed-out/login.html',
    modules: [door],
    draw: ({ drawSignedOut }) => drawSignedOut('/login', { github: false }),
  },
  {
    file: 'signed-out/signup.html',
    modules: [door, signUp],
    draw: ({ drawSignedOut }) => drawSignedOut('/signup', { github: false }),
  },
  // For a console with an OAuth app at GitHub, so that its button does not push the form away later.
  {
    file: 'signed-out/login-github.html',
    modules: [door],
    draw: ({ drawSignedOut }) => drawSignedOut('/login', { github: true }),
  },
  {
    file: 'signed-out/signup-github.html',
    modules: [door, signUp],
    draw: ({ drawSignedOut }) => drawSignedOut('/signup', { github: true }),
  },
  {
    file: 'signed-in/home.html',
    modules: [...frame, homePage],
    data: dataOf('/home'),
    draw: ({ drawFrame }) => drawFrame('/home'),
    // The program opens the welcome dialog for new accounts.
    template: { id: 'welcome', draw: ({ drawWelcome }) => drawWelcome() },
  },
  ...Object.entries(framePages).map(([name, { page, entry }]) => framePage(name, page, entry)),
  {
    file: 'signed-in/other.html',
    modules: frame,
    data: dataOf('/another'),
    draw: ({ drawFrame }) => drawFrame(null),
  },
];

const drawing = fileURLToPath(new URL('./src/prerendered.tsx', import.meta.url));

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

/** The chunks that hold `modules` and everything that these import statically. Each chunk is listed once. */
export function chunksOf(bundle: Bundle, modules: readonly string[]): Chunk[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const found = new Map<string, Chunk>();
  const add = (chunk: Chunk | undefined) => {
    if (!chunk || found.has(chunk.fileName)) return;
    found.set(chunk.fileName, chunk);
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name));
  };
  for (const module of modules) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${module}`)));
    if (!chunk) throw new Error(`${module} is in no chunk.`);
    add(chunk);
  }
  return [...found.values()];
}

export function documentsPlugin(): Plugin {
  let root = '';
  return {
    name: 'page-documents',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      root = config.root;
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const template = bundle['index.html'];
        if (template?.type !== 'asset') return;
        const drawing = await drawingProgram(root);
        for (const page of pageDocuments) {
          const source = fill(String(template.source), bundle, page, drawing);
          this.emitFile({ type: 'asset', fileName: page.file, source });
        }
      },
    },
  };
}

/** How many HTTP/1.1 connections a browser opens to one host. */
const connections = 6;
const preloadOf = (url: string) => `<link rel="preload" as="fetch" crossorigin href="${url}">`;

function fill(template: string, bundle: Bundle, page: PageDocument, drawing: typeof Drawn): string {
  const [program, ...others] = chunksOf(bundle, page.modules);
  const styles = [program, ...others].flatMap((chunk) => [...(chunk?.viteMetadata?.importedCss ?? [])]);
  // The frame's key caps use the second font. A font that arrives after the first layout forces a second
  // layout, so the page preloads both.
  const faces = page.data ? ['atkinson', 'jetbrains'] : ['atkinson'];
  const fonts = Object.keys(bundle).filter(
    (name) =>
      faces.some((face) => name.includes(face)) &&
      name.includes('-latin-wght-normal') &&
      name.endsWith('.woff2'),
  );
  const data = page.data ?? [];
  const head = [
    // The browser waits and paints the drawn page as a whole: a page painted by halves would shift when the
    // rest arrives.
    '<link rel="expect" href="#layers" blocking="render">',
    // These follow the template's own stylesheets, because the first of those names the order of the cascade
    // layers.
    ...[...new Set(styles)]
      .filter((name) => !template.includes(`href="/${name}"`))
      .map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`),
    ...data.slice(0, connections - 1).map(preloadOf),
    ...fonts.map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${name}">`),
    `<script type="module" crossorigin src="/${program?.fileName}"></script>`,
    ...others.map(({ fileName }) => `<link rel="modulepreload" crossorigin href="/${fileName}">`),
    // More of them before the program would keep it from the browser's connections.
    ...data.slice(connections - 1).map(preloadOf),
  ];
  // React replays early submits of a form with an inline script, which the page's policy refuses.
  const drawn = withoutScripts(page.draw(drawing));
  const kept = page.template;
  return template
    .split('\n')
    .filter((line) => !/^ *<(?:link rel="modulepreload"|script type="module")/.test(line))
    .join('\n')
    .replace(/^ *<\/head>/m, () => `    ${head.join('\n    ')}\n  </head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${drawn}</div>`)
    .replace(
      '</body>',
      (end) => (kept ? `  <template id="${kept.id}">${kept.draw(drawing)}</template>\n  ` : '  ') + end,
    );
}

function withoutScripts(html: string): string {
  const [first = '', ...others] = html.split('<script');
  return first + others.map((part) => part.slice(part.indexOf('</script>') + '</script>'.length)).join('');
}

/** Builds `src/prerendered.tsx` as a program for Node. Its files have the same names as in the browser. */
async function drawingProgram(root: string): Promise<typeof Drawn> {
  const result = await build({
    root,
    configFile: false,
    define: defined,
    logLevel: 'warn',
    plugins: [react()],
    css: { modules: { generateScopedName: className } },
    ssr: { noExternal: true },
    build: {
      ...{ ssr: drawing, write: false, assetsInlineLimit: 0, target: 'es2023' },
      // A drawing needs its pages at once, whatever the browser loads later.
      rolldownOptions: { checks: { ineffectiveDynamicImport: false } },
    },
  });
  const [output] = [result].flat();
  if (!output || !('output' in output)) throw new Error('The drawing was not built.');
  const folder = await mkdtemp(join(tmpdir(), 'homeport-drawing-'));
  try {
    for (const file of output.output) {
      if (file.type !== 'chunk') continue;
      // What is imported only when it is needed has a folder of its own.
      await mkdir(dirname(join(folder, file.fileName)), { recursive: true });
      await writeFile(join(folder, file.fileName), file.code);
    }
    const [main] = output.output;
    return await import(pathToFileURL(join(folder, main.fileName)).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}
