import { join } from 'node:path';
import { readText } from './files.ts';
import type { Paths } from './paths.ts';

export const allowed = 'no-agent-forwarding,no-user-rc,no-X11-forwarding,no-port-forwarding';

export type Key = { fingerprint: string; name: string; publicKey: string };

/** A line of authorized_keys as Dokku writes it. The holder of the key reaches this forced command and nothing else. */
export function keyLine(paths: Paths, name: string, fingerprint: string, publicKey: string): string {
  return `command="FINGERPRINT=${fingerprint} NAME=\\"${name}\\" ${join(paths.bin, 'dokku-key')} ${name}",${allowed} ${publicKey}\n`;
}

const forced = /^command="FINGERPRINT=([^ "]+) NAME=\\"([^"\\]*)\\" /;

export function readKeys(paths: Paths): Key[] {
  const lines = (readText(paths.keys) ?? '').split('\n');
  return lines.flatMap((line) => {
    const [, fingerprint, name] = forced.exec(line) ?? [];
    const options = line.indexOf('",');
    if (fingerprint === undefined || name === undefined || options < 0) return [];
    const [, ...publicKey] = line.slice(options).split(' ');
    return [{ fingerprint, name, publicKey: publicKey.join(' ') }];
  });
}
