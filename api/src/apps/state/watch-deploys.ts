import { setTimeout as wait } from 'node:timers/promises';
import type { AppLogEvent } from '@homeport/contract/apps/schema';
import { type Account, appName, builds, stripCsi } from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import { asProblem, type RemoteConnection } from '../../remote/run-command.ts';
import { followPlain } from '../logs/log-stream.ts';
import { restOfLog } from '../logs/rest-of-log.ts';
import { type AppState, quietRun, readAppState } from './read-state.ts';

/**
 * The time within which a push is noticed while somebody looks at the app. Each look costs the server four
 * short commands, and two more when something changed.
 */
const lookEveryMs = 2_500;

type Item = { data: AppLogEvent };
type Run = ReturnType<typeof quietRun>;

/**
 * Watches an app while its page is open, and streams the log of a running deploy until the deploy ends. Writes
 * nothing: `changed` tells the page to have the app’s new state recorded. While no deploy runs, the stream shows the log of the last one. Each log begins with
 * `anew`. Dokku does not announce a push, so the server is asked again and again.
 */
export async function* watchDeploys(...watched: Watched): AsyncGenerator<Item | null> {
  yield null;
  try {
    yield* watchBuilds(...watched);
  } catch (error) {
    const problem = asProblem(error);
    if (!(problem instanceof ProblemError)) throw problem;
    yield { data: { type: 'ended', reason: problem.message } };
  }
}

type Watched = [
  connection: RemoteConnection,
  account: Account,
  longname: string,
  isRecorded: (state: AppState) => Promise<boolean>,
  signal: AbortSignal,
];

async function* watchBuilds(...watched: Watched): AsyncGenerator<Item> {
  const [connection, account, longname, isRecorded, signal] = watched;
  const run = quietRun(connection, account, signal);
  let shown: builds.BuildId | null = null;
  let before: AppState | null = null;
  while (!signal.aborted) {
    const state = await readAppState(run, longname, before);
    const recorded = await isRecorded(state);
    if (!recorded) yield { data: { type: 'changed' } };
    // The page has every fact read anew. The next look compares the record with every fact, too.
    before = recorded ? state : null;
    if (state.kind === 'missing') {
      yield { data: { type: 'ended', reason: 'The server no longer has this app.' } };
      return;
    }
    if (state.buildId && state.buildId !== shown) {
      shown = state.buildId;
      const told: string[] = [];
      if (state.facts.deploy_status === 'deploying') {
        yield { data: { type: 'anew', process: '' } };
        for await (const item of followDeploy(...watched)) {
          if (item.data.type !== 'lines') continue;
          told.push(...item.data.lines.map(({ text }) => text));
          yield item;
        }
      }
      if (signal.aborted) return;
      const rest = restOfLog(told, await storedLog(run, longname, shown));
      if (rest.anew) yield { data: { type: 'anew', process: '' } };
      const lines = rest.lines.map((text) => ({ at: null, process: '', text }));
      if (lines.length > 0) yield { data: { type: 'lines', lines } };
      continue;
    }
    await wait(lookEveryMs, undefined, { signal }).catch(() => {});
  }
}

/** Empty if the server keeps no log. */
async function storedLog(run: Run, longname: string, build: builds.BuildId): Promise<string[]> {
  const ran = await run(builds.output(appName(longname), build), { accept: 'any', deadlineMs: 20_000 });
  return ran.exitCode === 0 && ran.stdout !== '' ? ran.stdout.trimEnd().split('\n').map(stripCsi) : [];
}

/**
 * `builds:output current` follows like tail(1) and never ends by itself, so the list of builds says when to
 * stop.
 */
async function* followDeploy(...[connection, account, longname, , signal]: Watched): AsyncGenerator<Item> {
  const over = new AbortController();
  const run = quietRun(connection, account, signal);
  const watching = (async () => {
    let state: AppState | null = null;
    while (!signal.aborted && !over.signal.aborted) {
      await wait(lookEveryMs, undefined, { signal: over.signal }).catch(() => {});
      state = await readAppState(run, longname, state);
      if (state.kind === 'missing' || state.facts.deploy_status !== 'deploying') over.abort();
    }
  })().catch(() => over.abort());
  try {
    const command = builds.output(appName(longname), 'current');
    yield* followPlain(connection, account, command, AbortSignal.any([signal, over.signal]));
  } finally {
    over.abort();
    await watching;
  }
}
