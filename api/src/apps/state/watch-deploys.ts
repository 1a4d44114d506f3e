import { setTimeout as wait } from 'node:timers/promises';
import type { AppLogEvent } from '@homeport/contract/apps/schema';
import { appName, builds, homeport } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import { ProblemError } from '../../http/problem.ts';
import { asProblem } from '../../remote/run-command.ts';
import { followPlain } from '../logs/log-stream.ts';
import { restOfLog, ToldLines } from '../logs/rest-of-log.ts';
import type { StoredLogs } from '../logs/stored-log.ts';
import type { ReachedApp } from '../reach-app.ts';
import type { AppReading } from './app-state.ts';
import { appMissing, askState, askStateAnew } from './ask-state.ts';

/**
 * The time within which a push is noticed while somebody looks at the app. Each look asks for the times of
 * some files, which starts no Dokku.
 */
const lookEveryMs = 2_500;
/** How often the state is read without a sign of a change: a container that ends by itself leaves none. */
const readAgainMs = 60_000;
/** The same on a server that shows no sign of a deploy either: Dokku before 0.38. */
const readBlindMs = 10_000;

type Item = { data: AppLogEvent };
type Deps = { store: Pick<Store, 'read'>; logs: StoredLogs };
type Wanted = {
  /** The log of a deploy that is over, too. */
  past: boolean;
  /** Whether the store holds all that this state says. */
  isKnown(state: AppReading): Promise<boolean>;
};
type Watched = [deps: Deps, reached: ReachedApp, wanted: Wanted, signal: AbortSignal];

/**
 * Watches an app while its page is open, and streams the log of a running deploy until the deploy ends. Writes nothing:
 * `changed` tells the page to have the app's state recorded, at once when the page opens and whenever something changed. The
 * page's request and this watch share one reading. While no deploy runs, the stream shows the log of the last one if `past` is
 * wanted. Each log begins with `anew`, which is all that comes of a log that nobody wants. Dokku does not announce a push, so the
 * server is asked again and again.
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

async function* watchBuilds(...[deps, reached, wanted, signal]: Watched): AsyncGenerator<Item> {
  let told: Told = null;
  let seen = await changesOf(reached);
  yield { data: { type: 'changed' } };
  let state = await askState(deps, reached);
  while (!signal.aborted) {
    if (state.kind === 'missing') throw appMissing();
    const news = newsOf(state, told, wanted.past);
    if (news.kind === 'log') {
      yield* logOf(deps, reached, news.build, news.deploying, signal);
      // Another deploy may have begun meanwhile.
      if (news.deploying) seen = '';
    } else if (news.kind === 'unread') {
      yield { data: { type: 'anew', process: '' } };
    } else if (news.kind === 'empty') {
      yield { data: { type: 'empty' } };
    }
    if (news.kind !== 'none') told = news.build;
    seen = await nextChange(reached, seen, signal);
    if (signal.aborted) return;
    state = await askStateAnew(deps, reached);
    if (!(await wanted.isKnown(state))) yield { data: { type: 'changed' } };
  }
}

/** The deploy that the stream told of last. `unnamed`: the server keeps no record of its deploys. */
type Told = builds.BuildId | 'unnamed' | null;

type News =
  | { kind: 'log'; build: builds.BuildId; deploying: boolean }
  /** A deploy came and went, and nobody wants its log. What was told before belongs to another deploy. */
  | { kind: 'unread'; build: builds.BuildId }
  /** The last deploy has no log. An app without a deploy has no last one, so nothing is said of it. */
  | { kind: 'empty'; build: 'unnamed' }
  | { kind: 'none' };

/** What the stream has to say of the last deploy after it told of `told`. */
export function newsOf(
  { buildId, facts }: Pick<Extract<AppReading, { kind: 'present' }>, 'buildId' | 'facts'>,
  told: Told,
  past: boolean,
): News {
  if (buildId === null) {
    const isTold = facts.deploy_status === 'never' || told === 'unnamed';
    return isTold ? { kind: 'none' } : { kind: 'empty', build: 'unnamed' };
  }
  if (buildId === told) return { kind: 'none' };
  const deploying = facts.deploy_status === 'deploying';
  return deploying || past ? { kind: 'log', build: buildId, deploying } : { kind: 'unread', build: buildId };
}

/** Resolves when a file shows a change, or after the time in which a change may leave no sign. */
async function nextChange(
  reached: ReachedApp,
  before: string | null,
  signal: AbortSignal,
): Promise<string | null> {
  const until = Date.now() + (before === null ? readBlindMs : readAgainMs);
  let now = before;
  while (!signal.aborted && now === before && Date.now() < until) {
    await wait(lookEveryMs, undefined, { signal }).catch(() => {});
    if (!signal.aborted && before !== null) now = await changesOf(reached);
  }
  return now;
}

/** Null where the server shows no sign of a deploy. */
async function changesOf({ run, app }: ReachedApp): Promise<string | null> {
  const ran = await run(homeport.changeTimes(appName(app.longname)), { accept: 'any', quiet: true });
  return homeport.readChangeTimes(ran);
}

/** The whole log of a deploy, followed while the deploy runs. */
async function* logOf(
  deps: Deps,
  reached: ReachedApp,
  build: builds.BuildId,
  deploying: boolean,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  const told = new ToldLines();
  if (deploying) {
    yield { data: { type: 'anew', process: '' } };
    for await (const item of followDeploy(deps, reached, signal)) {
      if (item.data.type !== 'lines') continue;
      for (const { text } of item.data.lines) told.add(text);
      yield item;
    }
  }
  // A log that is longer than what is read at once has been shown as far as it came, and is not compared.
  if (signal.aborted || !told.areAll) return;
  const rest = restOfLog(told.lines, await deps.logs.read({ reached, build }, { over: !deploying }));
  if (rest.anew) yield { data: { type: 'anew', process: '' } };
  const lines = rest.lines.map((text) => ({ at: null, process: '', text }));
  if (lines.length > 0) yield { data: { type: 'lines', lines } };
  else if (told.lines.length === 0) yield { data: { type: 'empty' } };
}

/**
 * `builds:output current` follows like tail(1) and never ends by itself, so the app’s state says when to
 * stop. Where following ends earlier (no terminal, its time limit), this waits for the end of the deploy.
 */
async function* followDeploy(deps: Deps, reached: ReachedApp, signal: AbortSignal): AsyncGenerator<Item> {
  const leave = new AbortController();
  const over = new AbortController();
  const watched = AbortSignal.any([signal, leave.signal]);
  const watching = (async () => {
    let seen = await changesOf(reached);
    while (!watched.aborted && !over.signal.aborted) {
      const state = await askStateAnew(deps, reached);
      if (state.kind === 'missing' || state.facts.deploy_status !== 'deploying') over.abort();
      else seen = await nextChange(reached, seen, watched);
    }
  })().catch(() => over.abort());
  try {
    const command = builds.output(appName(reached.app.longname), 'current');
    yield* followPlain(reached.connection, reached.account, command, AbortSignal.any([watched, over.signal]));
    await watching;
  } finally {
    leave.abort();
    await watching;
  }
}
