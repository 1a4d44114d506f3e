import { join } from 'node:path';
import { readText } from './files.ts';
import type { Paths } from './paths.ts';

export const allowed = 'no-agent-forwarding,no-user-rc,no-X11-forwarding,no-port-forwarding';

export type Key = { fingerprint: string; name: string; publicKey: string };

/** A line of authorized_keys as Dokku writes it: whoever holds the key reaches this forced command and nothing else. */
export function keyLine(paths: Paths, name: string, fingerprint: string, publicKey: string): string {
  return `command="FINGERPRINT=${fingerprint} NAME=\\"${name}\\" ${join(paths.bin, 'dokku-key')} ${name}",${allowed} ${publicKey}\n`;
}

export function readKeys(paths: Paths): Key[] {
  const lines = (readText(paths.keys) ?? '').split('\n');
  return lines.flatMap((line) => {
    const found = /^command="FINGERPRINT=(\S+) NAME=\\"([^"\\]*)\\" [^"]*",\S+ (.*)$/.exec(line);
    return found ? [{ fingerprint: found[1] ?? '', name: found[2] ?? '', publicKey: found[3] ?? '' }] : [];
  });
}
