import type { Command } from './command.ts';

/**
 * Who runs a command on the server.
 * `root`: logged in as root. `sudo`: a user whose sudo asks for no password. `console`: the account of the console's
 * own, which may become the user `dokku` and nobody else. `plain`: a user with no right but running Dokku itself.
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

/** How the page names who ran a command. */
export function accountName(account: Account): string {
  return account.kind === 'root' ? 'root' : account.user;
}

/**
 * The whole argv for this account. `env LC_ALL=C` comes first and not inside sudo, so that translated messages never
 * reach a parser: sudo passes LC_* on (sudoers(5), env_check). `-n` makes sudo fail instead of asking.
 *
 * @throws NeedsRootError when the command is root's and the account cannot become root.
 */
export function argvFor(account: Account, command: Command): readonly string[] {
  if (command.needsRoot && !canBecomeRoot(account)) throw new NeedsRootError(command, account);
  return ['env', 'LC_ALL=C', ...way(account, command), ...program(command), ...command.words];
}

/** The user on the server that the command ends up running as; the page shows it beside each command. */
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
