import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fromBase64 } from '@homeport/signer/bytes';
import { sha256Fingerprint } from '@homeport/signer/fingerprint';

const run = promisify(execFile);

/** What the person's own known_hosts says of a host. `unknown`: nothing. */
export type Known =
  | { kind: 'unknown' }
  /** `line`: where this very key stands. */
  | { kind: 'known'; line: string }
  /** The file has other keys of the host, or revokes this one. */
  | { kind: 'other' };

/** Nothing else is a host of the person's. */
const hostForm = /^[\w.:-]{1,253}$/;

/** Looks a host up as ssh does. ssh-keygen finds hashed names, too. Without ssh-keygen, nothing is known. */
export async function lookUpHost(
  home: string,
  { host, port }: { host: string; port: number },
  fingerprint: string,
): Promise<Known> {
  const file = join(home, '.ssh/known_hosts');
  const name = port === 22 ? host : `[${host}]:${port}`;
  if (!hostForm.test(host)) return { kind: 'unknown' };
  const { stdout } = await run('ssh-keygen', ['-F', name, '-f', file], { timeout: 5_000 }).catch(() => ({
    stdout: '',
  }));
  let line = '';
  let known: Known = { kind: 'unknown' };
  for (const text of stdout.split('\n')) {
    const [, number] = /^# Host .* found: line (\d+)/.exec(text) ?? [];
    if (number !== undefined) line = number;
    const words = text.split(' ').filter(Boolean);
    const marker = words[0]?.startsWith('@') ? words.shift() : undefined;
    const blob = text.startsWith('#') ? undefined : fromBase64(words[2] ?? '');
    // A line of an authority signs keys of hosts and is none itself.
    if (!blob || blob.length === 0 || marker === '@cert-authority') continue;
    const isSame = (await sha256Fingerprint(blob)) === fingerprint;
    if (marker === '@revoked') {
      if (isSame) return { kind: 'other' };
    } else if (isSame) known = { kind: 'known', line };
    else if (known.kind === 'unknown') known = { kind: 'other' };
  }
  return known;
}
