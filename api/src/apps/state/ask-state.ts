import { appMissingText } from '@homeport/contract/apps/health';
import type { Store } from '@homeport/store';
import { ProblemError } from '../../http/problem.ts';
import { findApp } from '../../records/app-record.ts';
import { asProblem } from '../../remote/run-command.ts';
import type { ReachedApp } from '../reach-app.ts';
import { type AppReading, quietRun, readAppState } from './read-state.ts';

type Deps = { store: Pick<Store, 'read'> };
type Present = Extract<AppReading, { kind: 'present' }>;

export const appMissing = () => new ProblemError('not_found', appMissingText);

const running = new Map<string, Promise<AppReading>>();
/** The readings that ended a moment ago. */
const ended = new Map<string, AppReading>();
const noticedMs = 5_000;

/**
 * Reads an app’s state from its server and writes nothing. Whoever asks while a reading runs gets that reading,
 * so that the panels and tabs of one view cost the server one start of Dokku together.
 */
export function askState(deps: Deps, reached: ReachedApp): Promise<AppReading> {
  const { id } = reached.app;
  const there = running.get(id);
  if (there) return there;
  const mine = readNow(deps, reached)
    .then((state) => keepForAMoment(id, state))
    .finally(() => running.delete(id));
  running.set(id, mine);
  return mine;
}

/**
 * The state in which the app's watch found a change. A page that is slow to hear of the change does not cost the server a second
 * start of Dokku. Reads where no reading of the last five seconds is known.
 */
export async function takeNoticedState(deps: Deps, reached: ReachedApp): Promise<AppReading> {
  const { id } = reached.app;
  return running.get(id) ?? ended.get(id) ?? askState(deps, reached);
}

function keepForAMoment(id: string, state: AppReading): AppReading {
  ended.set(id, state);
  const forget = () => ended.get(id) === state && ended.delete(id);
  setTimeout(forget, noticedMs).unref();
  return state;
}

/** The state from now on: a reading that already runs may have begun before the latest change. */
export async function askStateAnew(deps: Deps, reached: ReachedApp): Promise<AppReading> {
  await running.get(reached.app.id)?.catch(() => {});
  return askState(deps, reached);
}

/** As `askState`. Throws `not_found` if the server no longer has the app. */
export async function askPresent(deps: Deps, reached: ReachedApp): Promise<Present> {
  const state = await askState(deps, reached);
  if (state.kind === 'missing') throw appMissing();
  return state;
}

/** Goes on when the caller leaves, because others may wait for the same reading. Each command has a deadline. */
async function readNow(
  { store }: Deps,
  { owner, app, connection, account }: ReachedApp,
): Promise<AppReading> {
  try {
    const run = quietRun(connection, account, new AbortController().signal);
    const { server_plugin: plugin } = await store.read(owner, (scope) => findApp(scope, app.id));
    return await readAppState(run, app.longname, { plugin });
  } catch (error) {
    throw asProblem(error);
  }
}
