import { needsRoot } from '@homeport/dokku/command';
import { commandOfPlugin } from '../commands/plugin-files.ts';
import { commands } from '../commands/registry.ts';
import { Call, type Caller, Exit } from '../machine/call.ts';
import { countStart } from '../machine/starts.ts';

/** Runs one `dokku` command line. Resolves with its exit code. */
export async function dispatch(
  words: readonly string[],
  keyName: string | null = null,
  caller?: Caller,
): Promise<number> {
  const at = words.findIndex((word) => !globalWords.has(word));
  const [name = '', ...rest] = at < 0 ? [] : words.slice(at);
  const leading = at < 0 ? words : words.slice(0, at);
  const call = new Call({
    command: name,
    words: rest,
    forcedBefore: leading.includes('--force'),
    quiet: leading.includes('--quiet'),
    keyName,
    ...(caller && { caller }),
  });
  countStart(call.state.paths, name, rest);
  try {
    if (needsRoot([name]) && call.as !== 'root') call.fail('This command must be run as root');
    const command = commands.get(name) ?? commandOfPlugin(call.state.paths, name);
    if (!command || !call.knows(command.since ?? '0.0.0')) return call.unknown();
    if (name.startsWith('acl:')) requirePlugin(call, 'acl', keyName);
    if (name.startsWith('letsencrypt:')) requirePlugin(call, 'letsencrypt', null);
    if (command.plugin !== undefined) requirePlugin(call, command.plugin, null);
    await command.run(call);
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.code;
    throw error;
  }
}

const globalWords = new Set(['--quiet', '--force', '--trace']);

function requirePlugin(call: Call, plugin: string, keyName: string | null): void {
  if (!call.state.settings().plugins.some((installed) => installed.name === plugin)) {
    call.unknown();
  }
  if (plugin === 'acl' && keyName !== null) {
    call.fail('You can only modify ACL using local dokku command on target host');
  }
}
