import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../install.mjs';
import { debName, makeDeb } from './make-deb.mjs';
import { makeTree } from './make-tree.mjs';

const folder = join(root, 'packaging/container');

/** One instruction of a Containerfile (Containerfile(5)), with its words. */
type Instruction = { name: string; words: string };

const instructions: Instruction[] = readFileSync(join(folder, 'Containerfile'), 'utf8')
  .replaceAll('\\\n', '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ name: line.slice(0, line.indexOf(' ')), words: line.slice(line.indexOf(' ') + 1) }));
/** What the image is made of: the last stage. */
const image = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
const wordsOf = (name: string) => image.filter((each) => each.name === name).map(({ words }) => words);

const serviceSchema = z.strictObject({
  image: z.string(),
  pull_policy: z.literal('build').optional(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  network_mode: z.literal('host'),
  user: z.string().optional(),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  init: z.boolean().optional(),
  restart: z.string(),
  stop_grace_period: z.string().optional(),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string()),
  tmpfs: z.array(z.string()),
});
const composition = z
  .object({
    services: z.object({ homeport: serviceSchema, caddy: serviceSchema }),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(parse(readFileSync(join(folder, 'compose.yaml'), 'utf8')));
const { homeport, caddy } = composition.services;

describe('the image', () => {
  it('is made of the Debian package alone, without a program that runs as root in it', () => {
    expect(instructions.filter(({ name }) => name === 'ADD')).toEqual([]);
    expect(image.filter(({ name }) => name === 'RUN')).toEqual([]);
    const fromOutside = instructions.filter(
      ({ name, words }) => name === 'COPY' && !words.includes('--from='),
    );
    expect(fromOutside.map(({ words }) => words)).toEqual(['homeport_*.deb /homeport.deb']);
  });

  it('runs as an account with a number, which is not root, and keeps its data in a volume', () => {
    expect(wordsOf('USER')).toEqual(['10001:10001']);
    // PostgreSQL looks its name up.
    expect(instructions.find(({ name }) => name === 'RUN')?.words).toContain('useradd --uid 10001 ');
    expect(wordsOf('COPY')).toContain('--from=unpacked /etc/passwd /etc/group /etc/');
    expect(wordsOf('VOLUME')).toEqual(['/var/lib/homeport']);
    expect(wordsOf('ENV').join(' ')).toContain('HOMEPORT_DATA=/var/lib/homeport');
    expect(wordsOf('STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(wordsOf('ENTRYPOINT')).toEqual(['["homeport"]']);
  });

  it('is healthy while the console can serve', async () => {
    const [check = ''] = wordsOf('HEALTHCHECK');
    const [, ...args] = z.array(z.string()).parse(JSON.parse(check.slice(check.indexOf('CMD ') + 4)));
    const answers = [200, 503];
    const asked: string[] = [];
    const server = createServer((request, answer) => {
      asked.push(request.url ?? '');
      answer.writeHead(answers.shift() ?? 500).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const codes = [];
    for (const _turn of [1, 2]) codes.push(await exitCode(process.execPath, args, { HOMEPORT_PORT: port }));
    await new Promise((resolve) => server.close(resolve));
    codes.push(await exitCode(process.execPath, args, { HOMEPORT_PORT: port }));
    expect(codes).toEqual([0, 1, 1]);
    expect(asked).toEqual(['/readyz', '/readyz']);
  });
});

describe('the compose file', () => {
  it('gives the console no right and no folder but its data', () => {
    expect(homeport.user).toBe(wordsOf('USER')[0]);
    expect(homeport.cap_add).toEqual([]);
    expect(homeport.volumes).toEqual(['data:/var/lib/homeport']);
    expect(composition.volumes).toEqual({ data: null, certificates: null });
    // Docker ends what has not ended by itself after 10 seconds otherwise.
    expect(homeport.stop_grace_period).toBe('30s');
  });

  it('builds the image from the folder of `npm run release`', () => {
    expect(join(folder, homeport.build?.context ?? '')).toBe(join(root, 'release'));
    expect(join(root, 'release', homeport.build?.dockerfile ?? '')).toBe(join(folder, 'Containerfile'));
  });

  it('sets settings that exist, and leaves the console on the loopback, where Caddy asks', () => {
    const known = Object.keys(JSON.parse(readFileSync(join(root, 'homeport/settings.json'), 'utf8')));
    expect(Object.keys(homeport.environment).filter((name) => !known.includes(name))).toEqual([]);
    expect(homeport.environment).toMatchObject({ HOMEPORT_TRUST_PROXY: '127.0.0.1' });
    expect(homeport.environment).not.toHaveProperty('HOMEPORT_HOST');
  });

  it('gives Caddy the ports below 1024, the Caddyfile of the packages, and no other right', () => {
    expect(caddy.cap_add).toEqual(['NET_BIND_SERVICE']);
    const [file = '', ...others] = caddy.volumes;
    expect(join(folder, file.split(':')[0] ?? '')).toBe(join(root, 'packaging/Caddyfile'));
    expect(file.endsWith(':/etc/caddy/Caddyfile:ro')).toBe(true);
    expect(others).toEqual(['certificates:/data']);
    expect(Object.keys(caddy.environment)).toEqual(['HOMEPORT_NAME']);
  });
});

describe('the Caddyfile of the packages', () => {
  it('is the one of the operator guide, with its name in place of an example', () => {
    const file = readFileSync(join(root, 'packaging/Caddyfile'), 'utf8');
    const guide = readFileSync(join(root, 'docs/operator-guide.md'), 'utf8');
    const shown = /```caddyfile\n([\s\S]*?)```/.exec(guide)?.[1];
    expect(shown).toBe(file.replace('{$HOMEPORT_NAME}', 'console.example.com'));
  });
});

/** The program that builds images here and has the base at hand. A base is never fetched for a test. */
const builder = ['docker', 'podman', 'buildah'].find((program) => {
  const look = program === 'buildah' ? ['inspect', '--type=image'] : ['image', 'inspect'];
  return spawnSync(program, [...look, 'debian:trixie-slim'], { stdio: 'ignore' }).status === 0;
});

describe.skipIf(builder === undefined)('where images can be built', () => {
  const work = mkdtempSync(join(tmpdir(), 'homeport-image-'));
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  it('builds, and the console in it says its version', { timeout: 600_000 }, () => {
    if (!existsSync(join(root, 'homeport/dist/server.js'))) throw new Error('Run `npm run build` first.');
    const tree = join(work, 'tree');
    mkdirSync(tree);
    makeTree(tree);
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')));
    const context = join(work, 'release');
    const node = { program: process.execPath };
    makeDeb(join(context, debName(version, process.arch)), {
      tree,
      node,
      version,
      cpu: process.arch,
      at: 0,
      compress: false,
    });
    const tag = `homeport-test-${process.pid}`;
    const builds = builder === 'buildah' ? ['build', '--isolation=chroot'] : ['build'];
    run(...builds, '--file', join(folder, 'Containerfile'), '--tag', tag, context);
    // Looks its account up as PostgreSQL does.
    const whoAmI = ['-e', 'console.log(os.userInfo().username)'];
    try {
      if (builder === 'buildah') {
        const container = run('from', tag).trim();
        const inside = ['run', '--isolation=chroot', container, '--'];
        expect(run(...inside, 'homeport', '--version').trim()).toBe(version);
        expect(run(...inside, 'node', ...whoAmI).trim()).toBe('homeport-console');
        run('rm', container);
      } else {
        const inside = ['run', '--rm', '--read-only', '--cap-drop=ALL', '--network=none'];
        expect(run(...inside, tag, '--version').trim()).toBe(version);
        expect(run(...inside, '--entrypoint=node', tag, ...whoAmI).trim()).toBe('homeport-console');
      }
    } finally {
      run(...(builder === 'buildah' ? ['rmi', tag] : ['image', 'rm', tag]));
    }
  });
});

/** Asks the program that builds images. Throws with its own words where it fails. */
function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(builder ?? '', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${builder} ${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

function exitCode(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<number | null> {
  const child = spawn(program, args, { env, stdio: 'ignore' });
  return new Promise((resolve) => child.once('exit', resolve));
}
