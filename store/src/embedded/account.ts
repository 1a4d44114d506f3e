import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A system account that a child process runs under. */
export type Account = { name: string; uid: number; gid: number };

/**
 * PostgreSQL refuses to run as root, so a console that root started runs it under the first of these accounts that exists.
 * `homeport` is not among them: Homeport makes that account on a linked server, and may remove the account with its processes.
 */
const preferredNames = ['postgres', 'nobody'] as const;

/** The account that PostgreSQL has to run under. Undefined when the console's own account will do. */
export async function unprivilegedAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = parseAccounts(await readFile('/etc/passwd', 'utf8'));
  return preferredNames.map((name) => accounts.get(name)).find((account) => account && account.uid !== 0);
}

/** passwd(5): name:password:uid:gid:gecos:home:shell. */
export function parseAccounts(passwd: string): Map<string, Account> {
  const accounts = new Map<string, Account>();
  for (const line of passwd.split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name && uid && gid) accounts.set(name, { name, uid: Number(uid), gid: Number(gid) });
  }
  return accounts;
}

/** The outermost folder on the way to `path` that the account may not pass through, or undefined. */
export async function blockedAt(path: string, account: Account): Promise<string | undefined> {
  const parent = dirname(path);
  const above = parent === path ? undefined : await blockedAt(parent, account);
  if (above) return above;
  const { mode, uid, gid } = await stat(path);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return mode & bit ? undefined : path;
}
