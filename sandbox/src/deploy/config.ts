import { beginBuild, buildLog, endBuild } from '../machine/builds.ts';
import { type Call, Exit } from '../machine/call.ts';
import { variablesOf } from '../machine/env-file.ts';
import { release } from './deploy.ts';

/** Writes variables, prints them unless quiet, and redeploys unless the caller forbids it. */
export async function setConfig(
  call: Call,
  name: string,
  values: Map<string, string>,
  noRestart: boolean,
): Promise<void> {
  const bad = [...values.keys()].find((key) => !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(key));
  if (bad !== undefined) call.fail(`Invalid key name: '${bad}'`);
  const kept = variablesOf(call, call.app(name));
  call.state.changeApp(name, (app) => {
    app.config = { ...kept, ...Object.fromEntries(values) };
  });
  call.say('Setting config vars');
  const width = Math.max(...[...values.keys()].map((key) => key.length)) + 3;
  for (const [key, value] of [...values].sort(([a], [b]) => (a < b ? -1 : 1))) {
    call.detail(`${`${key}:`.padEnd(width)}${value.trim()}`);
  }
  if (!noRestart) await redeploy(call, name);
}

/** Removes variables, and redeploys unless the caller forbids it or none of them was set. */
export async function unsetConfig(
  call: Call,
  name: string,
  keys: readonly string[],
  noRestart: boolean,
): Promise<void> {
  const config = variablesOf(call, call.app(name));
  for (const key of keys) {
    if (key in config) call.say(`Unsetting ${key}`);
    else call.say(`Skipping ${key}, it is not set in the environment`);
  }
  const left = Object.entries(config).filter(([key]) => !keys.includes(key));
  call.state.changeApp(name, (changed) => {
    changed.config = Object.fromEntries(left);
  });
  if (!noRestart && keys.some((key) => key in config)) await redeploy(call, name);
}

/** A failed redeploy still ends with 0, like in the real Dokku. The console's `--no-restart` avoids this trap. */
export async function redeploy(call: Call, name: string): Promise<void> {
  const app = call.app(name);
  if (app.deployedAtSeconds === null || app.stopped) return;
  call.say(`Restarting app ${name}`);
  const { paths } = call.state;
  const record = beginBuild(paths, name, 'deploy', 'config-redeploy');
  call.mergeInto(buildLog(paths, name, record.id));
  try {
    await release(call, name);
    endBuild(paths, record, 'succeeded', 0);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    endBuild(paths, record, 'failed', error.code);
    call.mergeNoMore();
    call.warn('Failure while restarting app: ');
  }
}
