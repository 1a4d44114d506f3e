import type { Command } from './command.ts';

/**
 * The account that runs a command on the server.
 * `root`: logged in as root. `sudo`: a user whose sudo asks for no password. `console`: the console's own account, which may
 * become the user `dokku` and nobody else. `plain`: a user who may only run Dokku itself.
 */
export type Account =
  | { readonly kind: 'root' }
  | { readonly kind: 'sudo'; readonly user: string }
  | { readonly kind: 'console'; readonly user: 'homeport' }
  | { readonly kind: 'plain'; readonly user: string };

export class NeedsRootError extends Error {
  override readonly name = 'NeedsRootError';
  constructor(command: Command, account: Account) {
    super(`${command.words[0] ?? ''} needs root, and ${accountName(account)} cannot become root.`);
  }
}

export function canBecomeRoot(account: Account): boolean {
  return account.kind === 'root' || account.kind === 'sudo';
}

/** The account's name on the page. */
export function accountName(account: Account): string {
  return account.kind === 'root' ? 'root' : account.user;
}

/**
 * The whole argv for this account. No parser may read translated messages, so `env LC_ALL=C` comes first; sudo passes LC_* on
 * (sudoers(5), env_check). `-n` makes sudo fail instead of asking for a password.
 *
 * @throws NeedsRootError when the command needs root and the account cannot become root.
 */
export function argvFor(account: Account, command: Command): readonly string[] {
  if (command.needsRoot && !canBecomeRoot(account)) throw new NeedsRootError(command, account);
  return ['env', 'LC_ALL=C', ...way(account, command), ...program(command), ...command.words];
}

/**
 * The words before kill(1) that end a command of this account. Its processes may belong to root or to `dokku`, whom the account
 * may not signal itself. A user who may only run Dokku has no such words.
 */
export function wayToEnd(account: Account): readonly string[] {
  if (account.kind === 'sudo') return ['sudo', '-n'];
  if (account.kind === 'console') return ['sudo', '-n', '-u', 'dokku'];
  return [];
}

/** The user on the server as whom the command finally runs. The page shows this name beside each command. */
export function runsAs(account: Account, command: Command): string {
  if (command.program === 'dokku' && !command.needsRoot) return 'dokku';
  if (command.needsRoot) return 'root';
  return accountName(account);
}

function way(account: Account, command: Command): readonly string[] {
  if (account.kind === 'sudo' && (command.program === 'dokku' || command.needsRoot)) return ['sudo', '-n'];
  if (account.kind === 'console' && command.program === 'dokku') return ['sudo', '-n', '-u', 'dokku', '-H'];
  return [];
}

function program(command: Command): readonly string[] {
  return command.program === 'dokku' ? ['dokku'] : [];
}
