import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { z } from 'zod';
import { StartError } from '../start-error.ts';
import { chooseLastingPort } from './lasting-port.ts';

/** The data that a demo keeps between starts, so that the page sees the same server each time. */
export type DemoFolder = {
  path: string;
  sshPort: number;
  frontPort: number;
  /** Of the two small websites that the demo's proxy merges. */
  sitePorts: [number, number];
  hostKeyFile: string;
  /** The public half as in a `.pub` file. */
  hostKey: string;
  /** A key by which the demo itself logs in, to test whether logins work. */
  probeKeyFile: string;
  probeKey: string;
};

const remembered = z.object({
  sshPort: z.number(),
  frontPort: z.number(),
  sitePorts: z.tuple([z.number(), z.number()]),
});

export async function openDemoFolder(dataFolder: string): Promise<DemoFolder> {
  const path = join(dataFolder, 'demo');
  // The path stands in authorized_keys and sshd_config, which take other characters only with quoting of their own.
  if (!/^[A-Za-z0-9/._+-]+$/.test(path)) {
    throw new StartError(
      `A demo cannot run in ${path}: its path has a character that has a special meaning for sshd.`,
      'Choose a data folder of letters, digits and . _ + - with --data.',
    );
  }
  await mkdir(path, { recursive: true, mode: 0o755 });
  await chmod(path, 0o755);
  const file = join(path, 'demo.json');
  const kept = remembered.partial().safeParse(JSON.parse(await readFile(file, 'utf8').catch(() => 'null')));
  const known = remembered.safeParse(kept.data);
  const ports = known.success ? known.data : remembered.parse({ ...(await choosePorts()), ...kept.data });
  if (!known.success) await writeWhole(file, `${JSON.stringify(ports)}\n`, 0o600);
  const hostKeyFile = join(path, 'host_key');
  const probeKeyFile = join(path, 'probe_key');
  return {
    path,
    ...ports,
    hostKeyFile,
    hostKey: await ensureKey(hostKeyFile),
    probeKeyFile,
    probeKey: await ensureKey(probeKeyFile),
  };
}

/**
 * An Ed25519 key pair in OpenSSH's formats, made once, and again when the kept one cannot be read. Resolves with the public half.
 */
async function ensureKey(file: string): Promise<string> {
  if (!(await isReadableKey(file))) {
    const pair = makeDemoKey();
    // The private half comes last, so that both halves exist if it exists.
    await writeWhole(`${file}.pub`, `${pair.public}\n`, 0o644);
    await writeWhole(file, pair.private, 0o600);
  }
  return (await readFile(`${file}.pub`, 'utf8')).trim();
}

async function isReadableKey(file: string): Promise<boolean> {
  return existsSync(file) && !(ssh2.utils.parseKey(await readFile(file)) instanceof Error);
}

/**
 * The library drops the zero bytes that a public key begins with, one key in 256, and then neither it nor OpenSSH reads the file. Such a
 * pair is made anew.
 */
export function makeDemoKey(): { private: string; public: string } {
  let pair = ssh2.utils.generateKeyPairSync('ed25519', { comment: 'homeport-demo' });
  while (ssh2.utils.parseKey(pair.private) instanceof Error) {
    pair = ssh2.utils.generateKeyPairSync('ed25519', { comment: 'homeport-demo' });
  }
  return pair;
}

async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  await writeFile(`${file}.new`, text, { mode });
  await rename(`${file}.new`, file);
}

/** Four different ones: nothing listens on the first while the next is chosen. */
async function choosePorts(): Promise<z.output<typeof remembered>> {
  const chosen = new Set<number>();
  while (chosen.size < 4) chosen.add(await chooseLastingPort());
  const [sshPort, frontPort, ...sitePorts] = chosen;
  return remembered.parse({ sshPort, frontPort, sitePorts });
}
