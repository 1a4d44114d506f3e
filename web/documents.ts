import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type Rolldown } from 'vite';
import type { DoorPath } from './src/auth/door-address.ts';

/**
 * The build writes a document for each address that is opened most, beside index.html, which fits any. They ask for
 * everything that their page needs at once instead of in turns, and those of the signed-out are drawn already. The
 * launcher chooses: `signed-out/` for browsers without a session, `signed-in/` for the others, by the address's name.
 */
interface PageDocument {
  /** Below the output folder. */
  file: string;
  /** Its program, and then what the program would ask for next. */
  modules: readonly [program: string, ...parts: string[]];
  /** What the page reads first. The browser hands it to the program's own call. */
  data?: readonly string[];
  drawn?: DoorPath;
}

/** What the page's programs are made of: for the signed-out, and for the frame of the signed-in. */
export const door = 'src/door.tsx';
export const frame = ['src/main.tsx', 'src/shell/Shell.tsx'] as const;

/** What the frame shows on every page. */
const frameData = ['/api/session', '/api/servers', '/api/apps', '/monitor/dumps'] as const;
const pageDocuments: readonly PageDocument[] = [
  { file: 'signed-out/login.html', modules: [door], drawn: '/login' },
  { file: 'signed-out/signup.html', modules: [door], drawn: '/signup' },
  {
    file: 'signed-in/home.html',
    modules: [...frame, 'src/home/HomePage.tsx'],
    data: [...frameData, '/api/keys'],
  },
  { file: 'signed-in/apps.html', modules: [...frame, 'src/apps/AppsPage.tsx'], data: frameData },
  { file: 'signed-in/servers.html', modules: [...frame, 'src/servers/ServersPage.tsx'], data: frameData },
  { file: 'signed-in/other.html', modules: frame, data: ['/api/session'] },
];

const drawing = fileURLToPath(new URL('./src/drawn-door.tsx', import.meta.url));

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk;

/** The chunks that `modules` come in, with all that these import at once, each once. */
export function chunksOf(bundle: Bundle, modules: readonly string[]): Chunk[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const found = new Map<string, Chunk>();
  const add = (chunk: Chunk | undefined) => {
    if (!chunk || found.has(chunk.fileName)) return;
    found.set(chunk.fileName, chunk);
    for (const name of chunk.imports) add(chunks.find(({ fileName }) => fileName === name));
  };
  for (const module of modules) {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${module}`));
    if (!chunk) throw new Error(`${module} has no chunk of its own.`);
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
        const draw = await drawingProgram(root);
        for (const page of pageDocuments) {
          const source = fill(String(template.source), bundle, page, draw);
          this.emitFile({ type: 'asset', fileName: page.file, source });
        }
      },
    },
  };
}

function fill(
  template: string,
  bundle: Bundle,
  page: PageDocument,
  draw: (path: DoorPath) => string,
): string {
  const [program, ...others] = chunksOf(bundle, page.modules);
  const styles = [program, ...others].flatMap((chunk) => [...(chunk?.viteMetadata?.importedCss ?? [])]);
  // The frame has key caps, in the other face: one that came after the first layout would have all of it done again.
  const faces = page.drawn ? /atkinson.*-latin-wght-normal/ : /(?:atkinson|jetbrains).*-latin-wght-normal/;
  const fonts = Object.keys(bundle).filter((name) => faces.test(name) && name.endsWith('.woff2'));
  const head = [
    // What is drawn is painted whole: half of it would move when the rest is read.
    ...(page.drawn ? ['<link rel="expect" href="#layers" blocking="render">'] : []),
    // After the style of every page, which names the layers in their order.
    ...[...new Set(styles)].map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`),
    ...(page.data ?? []).map((url) => `<link rel="preload" as="fetch" crossorigin href="${url}">`),
    ...fonts.map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${name}">`),
    `<script type="module" crossorigin src="/${program?.fileName}"></script>`,
    ...others.map(({ fileName }) => `<link rel="modulepreload" crossorigin href="/${fileName}">`),
  ];
  return template
    .replace(/\n *<(?:link rel="modulepreload"|script type="module").*/g, '')
    .replace(/ *<\/head>/, () => `    ${head.join('\n    ')}\n  </head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${page.drawn ? draw(page.drawn) : ''}</div>`);
}

/** The door's pages as a program for Node; the names of its files are the same as in the browser's. */
async function drawingProgram(root: string): Promise<(path: DoorPath) => string> {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    ssr: { noExternal: true },
    build: { ssr: drawing, write: false, assetsInlineLimit: 0, target: 'es2023' },
  });
  const [output] = [result].flat();
  if (!output || !('output' in output)) throw new Error('The door was not built.');
  const folder = await mkdtemp(join(tmpdir(), 'homeport-door-'));
  try {
    for (const file of output.output)
      if (file.type === 'chunk') await writeFile(join(folder, file.fileName), file.code);
    const [main] = output.output;
    const { drawDoor } = await import(pathToFileURL(join(folder, main.fileName)).href);
    // React would have forms that are sent early sent again by a script within the page, which the policy refuses.
    return (path) => drawDoor(path).replaceAll(/<script[\s\S]*?<\/script>/g, '');
  } finally {
    await rm(folder, { recursive: true });
  }
}
