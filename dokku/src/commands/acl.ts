import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import type { SshKeyName } from '../names/ssh-key-name.ts';
import { linesOf } from '../output.ts';

export const pluginUrl = 'https://github.com/dokku-community/dokku-acl.git';

/** Users are the names of SSH keys. The failure `already_allowed` counts as done. */
export function add(app: AppName, user: SshKeyName): Command {
  return dokku('acl:add', app, user);
}

export function remove(app: AppName, user: SshKeyName): Command {
  return dokku('acl:remove', app, user);
}

export function list(app: AppName): Command {
  return dokku('acl:list', app);
}

/** The users of an app. An empty list means that every key of the server may push. */
export function readList(outcome: Outcome): string[] {
  return linesOf(outcome.stdout).filter((line) => line !== '');
}
