import { rewrittenValue } from '@homeport/contract/apps/environment';
import type { Environment } from '@homeport/contract/apps/settings-schema';
import { appName, config, type EnvKey, envKey } from '@homeport/dokku';
import { ProblemError } from '../http/problem.ts';
import type { ReachedApp } from './reach-app.ts';

/** Keys that Dokku manages. Changing PORT breaks the routing. */
const managedPattern = /^(DOKKU_.*|GIT_REV|NO_VHOST|PORT)$/;

export async function readEnvironment({ app, run }: Pick<ReachedApp, 'app' | 'run'>): Promise<Environment> {
  const values = config.readExport(await run(config.exportAll(appName(app.longname)), { quiet: true }));
  return {
    values,
    managed: Object.keys(values).filter((key) => managedPattern.test(key)),
    readAt: Date.now(),
  };
}

/**
 * Sets and removes variables with at most two commands; the values go over stdin. Never restarts the app: a
 * restart inside the commands would hide its own failure. Runs one change per app at a time, because Dokku
 * has no lock here and one of two writers would lose.
 *
 * `from` holds the values that the page showed, null for a key that was not there. Throws `stale_edit` if the
 * server now has other values. That error names the keys alone, because an error holds no value.
 */
export async function changeEnvironment(
  reached: ReachedApp,
  changes: Readonly<Record<string, string>>,
  from?: Readonly<Record<string, string | null>>,
): Promise<Environment> {
  const managed = Object.keys(changes).find((key) => managedPattern.test(key));
  if (managed) {
    const message = `Dokku sets ${managed} itself, so it cannot be changed here. Nothing was saved.`;
    throw new ProblemError('invalid_input', message, { fields: { [`values.${managed}`]: message } });
  }
  return inTurn(reached.app.id, async () => {
    if (from) refuseStale((await readEnvironment(reached)).values, changes, from);
    const app = appName(reached.app.longname);
    const set = new Map<EnvKey, string>();
    const unset: EnvKey[] = [];
    for (const [key, value] of Object.entries(changes)) {
      if (value === '') unset.push(envKey(key));
      else set.set(envKey(key), value);
    }
    if (set.size > 0) await reached.run(config.importAll(app, set), { quiet: true });
    if (unset.length > 0) await reached.run(config.unset(app, unset));
    const environment = await readEnvironment(reached);
    refuseDifferent(environment.values, set);
    return environment;
  });
}

/** Dokku misreads some values that it writes. No error names a value, only the keys. */
function refuseDifferent(values: Readonly<Record<string, string>>, set: ReadonlyMap<EnvKey, string>): void {
  const keys = [...set].flatMap(([key, value]) =>
    values[key] === (rewrittenValue(value) ?? value) || values[key] === value ? [] : [key],
  );
  if (keys.length === 0) return;
  throw new ProblemError(
    'remote_failed',
    `The server saved these variables, but its Dokku reads other values than were sent: ${keys.join(', ')}. Change them, for example to base64, before the app starts again.`,
    { current: { keys } },
  );
}

function refuseStale(
  values: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string>>,
  from: Readonly<Record<string, string | null>>,
): void {
  const now = new Map(Object.entries(values));
  const keys = Object.keys(from).filter((key) => {
    const value = now.get(key) ?? null;
    return value !== from[key] && value !== (changes[key] || null);
  });
  if (keys.length === 0) return;
  throw new ProblemError(
    'stale_edit',
    `These variables were changed elsewhere in the meantime: ${keys.join(', ')}. Nothing was saved.`,
    {
      current: { keys },
    },
  );
}

const turns = new Map<string, Promise<unknown>>();

/** Runs `work` after the work that was given before it under the same name. */
async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(name) ?? Promise.resolve();
  const mine = before.catch(() => {}).then(work);
  turns.set(name, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(name) === mine) turns.delete(name);
  }
}
