import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Call, Exit, type SandboxCommand } from '../machine/call.ts';
import { corePlugins } from '../machine/core-plugins.ts';
import type { Paths } from '../machine/paths.ts';
import { runPluginProgram } from '../machine/run-plugin.ts';

/** A plugin whose own files lie on the host. */
export type PluginFiles = { name: string; version: string; description: string; enabled: boolean };

/** The plugins that somebody put into the folder of plugins, by name. */
export function pluginsWithFiles({ plugins }: Paths): PluginFiles[] {
  const available = join(plugins, 'available');
  if (!existsSync(available)) return [];
  return readdirSync(available)
    .filter((name) => existsSync(join(available, name, 'plugin.toml')))
    .map((name) => {
      const toml = readFileSync(join(available, name, 'plugin.toml'), 'utf8').split('\n');
      const told = (key: string) =>
        toml.find((line) => line.startsWith(`${key} = "`))?.slice(`${key} = "`.length, -1) ?? '';
      return {
        name,
        version: told('version'),
        description: told('description'),
        enabled: existsSync(join(plugins, 'enabled', name)),
      };
    });
}

/**
 * The command of an enabled plugin with files: `homeport:state` is `subcommands/state` of the plugin `homeport`. Bash runs the
 * plugin's own file, on the sandbox's state in the form of Dokku's files.
 */
export function commandOfPlugin({ plugins }: Paths, name: string): SandboxCommand | undefined {
  const [, plugin, subcommand] = /^([a-z0-9-]+):([a-z0-9-]+)$/.exec(name) ?? [];
  const program = join(plugins, 'enabled', plugin ?? '', 'subcommands', subcommand ?? '');
  if (!plugin || !subcommand || !existsSync(program)) return undefined;
  return { name, run: (call) => runProgram(call, program) };
}

async function runProgram(call: Call, program: string): Promise<void> {
  const exitCode = await runPluginProgram(call, program, [call.command, ...call.words]);
  if (exitCode !== 0) throw new Exit(exitCode);
}

const isCore = (name: string) => corePlugins.some(([core]) => core === name);

export const pluginEnable: SandboxCommand = {
  name: 'plugin:enable',
  run: (call) => {
    const { name, available, enabled } = placesOf(call, 'enable');
    if (isCore(name) || isThere(enabled)) call.fail('Plugin already enabled');
    if (!isThere(available)) call.fail('Plugin does not exist');
    mkdirSync(join(call.state.paths.plugins, 'enabled'), { recursive: true });
    symlinkSync(available, enabled);
    call.say(`Plugin ${name} enabled`);
    call.say('Priming bash-completion cache');
  },
};

export const pluginDisable: SandboxCommand = {
  name: 'plugin:disable',
  run: (call) => {
    const { name, enabled } = placesOf(call, 'disable');
    if (isCore(name)) call.fail('Cannot disable a core plugin');
    if (!isThere(enabled)) call.fail('Plugin already disabled');
    rmSync(enabled);
    call.say(`Plugin ${name} disabled`);
    call.say('Priming bash-completion cache');
  },
};

/** A link counts, wherever it leads. */
const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function placesOf(call: Call, verb: string): { name: string; available: string; enabled: string } {
  const { plugins } = call.state.paths;
  const [name = ''] = call.words;
  if (!/^[a-z0-9][a-z0-9_-]*$/.test(name)) call.fail(`Please specify a plugin to ${verb}`);
  return { name, available: join(plugins, 'available', name), enabled: join(plugins, 'enabled', name) };
}
