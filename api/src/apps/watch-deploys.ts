import { setTimeout as wait } from 'node:timers/promises';
import type { AppLogEvent } from '@homeport/contract/apps';
import { type Account, appName, builds } from '@homeport/dokku';
import type { RemoteConnection } from '../remote/run-command.ts';
import { followPlain } from './log-stream.ts';
import { type AppState, quietRun, readAppState } from './read-state.ts';

/** A push is noticed within this long while somebody looks at the app. Asking costs the server four short commands. */
const lookEveryMs = 2_500;

/**
 * Watches an app while its page is open: records what the server says of it, and streams the log of a deploy from the
 * moment one runs until it is over; before that, the log of the last one. Dokku tells nobody of a push, so it is asked.
 */
export async function* watchDeploys(
  connection: RemoteConnection,
  account: Account,
  longname: string,
  record: (state: AppState) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<{ data: AppLogEvent } | null> {
  const run = quietRun(connection, account, signal);
  let shown: builds.BuildId | null = null;
  yield null;
  while (!signal.aborted) {
    const state = await readAppState(run, longname);
    await record(state);
    if (state.kind === 'missing') {
      yield { data: { type: 'ended', reason: 'The server no longer has this app.' } };
      return;
    }
    if (state.buildId && state.buildId !== shown) {
      shown = state.buildId;
      if (state.facts.deploy_status === 'deploying')
        yield* followDeploy(connection, account, longname, record, signal);
      else yield* storedLog(run, longname, shown);
      continue;
    }
    await wait(lookEveryMs, undefined, { signal }).catch(() => {});
  }
}

async function* storedLog(run: ReturnType<typeof quietRun>, longname: string, build: builds.BuildId) {
  const ran = await run(builds.output(appName(longname), build), { accept: 'any', deadlineMs: 20_000 });
  const lines = ran.stdout
    .trimEnd()
    .split('\n')
    .map((text) => ({ at: null, process: '', text }));
  if (ran.exitCode === 0) yield { data: { type: 'lines', lines } satisfies AppLogEvent };
}

/** `builds:output current` follows like tail(1) and never ends by itself, so the list of builds says when to stop. */
async function* followDeploy(
  connection: RemoteConnection,
  account: Account,
  longname: string,
  record: (state: AppState) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<{ data: AppLogEvent }> {
  const over = new AbortController();
  const run = quietRun(connection, account, signal);
  const watching = (async () => {
    while (!signal.aborted && !over.signal.aborted) {
      await wait(lookEveryMs, undefined, { signal: over.signal }).catch(() => {});
      const state = await readAppState(run, longname);
      await record(state);
      if (state.kind === 'missing' || state.facts.deploy_status !== 'deploying') over.abort();
    }
  })().catch(() => over.abort());
  try {
    const command = builds.output(appName(longname), 'current');
    for await (const item of followPlain(
      connection,
      account,
      command,
      AbortSignal.any([signal, over.signal]),
    )) {
      if (item.data.type === 'lines') yield item;
    }
  } finally {
    over.abort();
    await watching;
  }
}
