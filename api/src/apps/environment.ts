import type { Environment } from '@homeport/contract/apps/settings-schema';
import { appName, config, type EnvKey, envKey } from '@homeport/dokku';
import { ProblemError } from '../http/problem.ts';
import type { ReachedApp } from './reach-app.ts';

/** What Dokku keeps for itself; changing PORT breaks the routing. */
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
 * Sets and removes in two commands at most, values over stdin. Never restarts by itself: a restart inside would hide its
 * failure. One change at a time per app: Dokku has no lock here, and of two writers one would lose. `from` is what the page
 * showed of these keys, null for one that was not there: throws `stale_edit` where the server has something else by now,
 * and names the keys alone, for an error holds no value.
 */
export async function changeEnvironment(
  reached: ReachedApp,
  changes: Readonly<Record<string, string>>,
  from?: Readonly<Record<string, string | null>>,
): Promise<Environment> {
  const managed = Object.keys(changes).find((key) => managedPattern.test(key));
  if (managed) {
    const message = `${managed} belongs to Dokku and is not changed here.`;
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
    return readEnvironment(reached);
  });
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
  throw new ProblemError('stale_edit', `Changed elsewhere meanwhile: ${keys.join(', ')}.`, {
    current: { keys },
  });
}

const turns = new Map<string, Promise<unknown>>();

/** Runs `work` after whatever runs under the same name. */
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
