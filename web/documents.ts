import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type Rolldown } from 'vite';
import { className } from './class-name.ts';
import { firstKeys } from './src/data/first-keys.ts';
import type * as Drawn from './src/drawn.tsx';

/**
 * The build writes a document for each address that is opened most, beside index.html, which fits any. They ask for
 * everything that their page needs at once instead of in turns, and are drawn already: the forms of the signed-out whole,
 * the frame of the signed-in without what is somebody's own. The launcher chooses: `signed-out/` for browsers without a
 * session, `signed-in/` for the others, by the address's name.
 */
interface PageDocument {
  /** Below the output folder. */
  file: string;
  /** Its program, and then what the program would ask for next. */
  modules: readonly [program: string, ...parts: string[]];
  /** What the page reads first. The browser hands it to the program's own call. */
  data?: readonly string[];
  draw: (program: typeof Drawn) => string;
  /** Drawn, and not shown before the program takes it. */
  template?: { id: string; draw: (program: typeof Drawn) => string };
}

/** The page's programs: for the signed-out, and for the signed-in, with the frame that this one asks for. */
export const door = 'src/door.tsx';
export const program = 'src/main.ts';
export const frame = [program, 'src/frame.tsx'] as const;

const dataOf = (path: string) => ['/api/session', ...firstKeys(path).map((key) => key.slice('GET '.length))];

const pageDocuments: readonly PageDocument[] = [
  { file: 'signed-out/login.html', modules: [door], draw: ({ drawDoor }) => drawDoor('/login') },
  { file: 'signed-out/signup.html', modules: [door], draw: ({ drawDoor }) => drawDoor('/signup') },
  {
    file: 'signed-in/home.html',
    modules: [...frame, 'src/home/HomePage.tsx'],
    data: dataOf('/home'),
    draw: ({ drawFrame }) => drawFrame('/home'),
    // The program opens it for newcomers.
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

const drawing = fileURLToPath(new URL('./src/drawn.tsx', import.meta.url));

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
  // The frame has key caps, in the other face: one that came after the first layout would have all of it done again.
  const faces = page.data ? ['atkinson', 'jetbrains'] : ['atkinson'];
  const fonts = Object.keys(bundle).filter(
    (name) =>
      faces.some((face) => name.includes(face)) &&
      name.includes('-latin-wght-normal') &&
      name.endsWith('.woff2'),
  );
  const head = [
    // What is drawn is painted whole: half of it would move when the rest is read.
    '<link rel="expect" href="#layers" blocking="render">',
    // After those of the template, the first of which names the layers in their order.
    ...[...new Set(styles)]
      .filter((name) => !template.includes(`href="/${name}"`))
      .map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`),
    ...(page.data ?? []).map((url) => `<link rel="preload" as="fetch" crossorigin href="${url}">`),
    ...fonts.map((name) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${name}">`),
    `<script type="module" crossorigin src="/${program?.fileName}"></script>`,
    ...others.map(({ fileName }) => `<link rel="modulepreload" crossorigin href="/${fileName}">`),
  ];
  // React would have forms that are sent early sent again by a script within the page, which the policy refuses.
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

/** `src/drawn.tsx` as a program for Node; the names of its files are the same as in the browser's. */
async function drawingProgram(root: string): Promise<typeof Drawn> {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    css: { modules: { generateScopedName: className } },
    ssr: { noExternal: true },
    build: { ssr: drawing, write: false, assetsInlineLimit: 0, target: 'es2023' },
  });
  const [output] = [result].flat();
  if (!output || !('output' in output)) throw new Error('The drawing was not built.');
  const folder = await mkdtemp(join(tmpdir(), 'homeport-drawing-'));
  try {
    for (const file of output.output)
      if (file.type === 'chunk') await writeFile(join(folder, file.fileName), file.code);
    const [main] = output.output;
    return await import(pathToFileURL(join(folder, main.fileName)).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}
