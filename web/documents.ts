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
  'src/auth/ResetPasswordPage.tsx',
  'src/auth/SecondStepForm.tsx',
  'src/auth/VerifyEmailPage.tsx',
  'src/keys/passkey-device.ts',
] as const;
export const program = 'src/main.ts';
export const frame = [program, 'src/frame.tsx'] as const;

const dataOf = (path: string) => ['/api/session', ...firstKeys(path).map((key) => key.slice('GET '.length))];

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
    modules: [...frame, 'src/home/HomePage.tsx'],
    data: dataOf('/home'),
    draw: ({ drawFrame }) => drawFrame('/home'),
    // The program opens the welcome dialog for new accounts.
    template: { id: 'welcome', draw: ({ drawWelcome }) => drawWelcome() },
  },
  {
    file: 'signed-in/apps.html',
    modules: [...frame, 'src/apps/list/AppsPage.tsx'],
    data: dataOf('/apps'),
    draw: ({ drawFrame }) => drawFrame('/apps'),
  },
  {
    file: 'signed-in/servers.html',
    modules: [...frame, 'src/servers/list/ServersPage.tsx'],
    data: dataOf('/servers'),
    draw: ({ drawFrame }) => drawFrame('/servers'),
  },
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
  const head = [
    // The browser waits and paints the drawn page as a whole: a page painted by halves would shift when the
    // rest arrives.
    '<link rel="expect" href="#layers" blocking="render">',
    // These follow the template's own stylesheets, because the first of those names the order of the cascade
    // layers.
    ...[...new Set(styles)]
      .filter((name) => !template.includes(`href="/${name}"`))
      .map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`),
    ...(page.data ?? []).map((url) => `<link rel="preload" as="fetch" crossorigin href="${url}">`),
    ...fonts.map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${name}">`),
    `<script type="module" crossorigin src="/${program?.fileName}"></script>`,
    ...others.map(({ fileName }) => `<link rel="modulepreload" crossorigin href="/${fileName}">`),
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
