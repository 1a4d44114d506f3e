import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Call, Exit } from './call.ts';
import { type DokkuFolders, withDokkuFiles } from './dokku-files.ts';

/**
 * Runs a plugin's own file in bash, on the streams of the caller and on the sandbox's state in the form of Dokku's files. Resolves with
 * the exit code.
 */
export function runPluginProgram(call: Call, program: string, words: readonly string[]): Promise<number> {
  return withDokkuFiles(call, (folders) =>
    call.start(['bash', program, ...words], environmentFor(call, folders)),
  );
}

function environmentFor(call: Call, { home, lib }: DokkuFolders): Record<string, string> {
  const { plugins, bin } = call.state.paths;
  return {
    // While git receives a push, its own folder of programs comes first.
    PATH: `${bin}:${call.path}`,
    DOKKU_ROOT: home,
    DOKKU_LIB_ROOT: lib,
    PLUGIN_PATH: plugins,
    PLUGIN_AVAILABLE_PATH: join(plugins, 'available'),
    PLUGIN_CORE_AVAILABLE_PATH: join(lib, 'core-plugins/available'),
    DOCKER_BIN: 'docker',
    SSH_USER: call.as,
    SSH_NAME: call.keyName ?? 'default',
  };
}

/** Runs a trigger of each enabled plugin that has files. Like the real Dokku, the command ends where a trigger fails. */
export async function trigger(
  call: Call,
  name: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const enabled = join(call.state.paths.plugins, 'enabled');
  for (const plugin of existsSync(enabled) ? readdirSync(enabled).sort() : []) {
    const program = join(enabled, plugin, name);
    if (!existsSync(program)) continue;
    const ran = await withDokkuFiles(call, (folders) =>
      spawnSync('bash', [program, ...words], {
        stdio: ['ignore', 'pipe', 'pipe'],
        encoding: 'utf8',
        env: { ...process.env, ...environmentFor(call, folders), ...env },
      }),
    );
    if (ran.stdout !== '') call.write(1, ran.stdout);
    if (ran.stderr !== '') call.write(2, ran.stderr);
    if (ran.status !== 0) throw new Exit(ran.status ?? 128);
  }
}
