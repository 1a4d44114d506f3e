import { staleAfterMs } from '../limits.ts';
import { messages } from '../states/messages.ts';
import type { App } from './schema.ts';

/** Said wherever something needs an app that its server no longer has. */
export const appMissingText = 'The server no longer has this app.';
/** Why nothing changes such an app, and what can be done. */
export const appGoneText =
  'The server no longer has this app: remove it from Homeport, or read it again if it is back.';

/** The part of an app's state that the store holds. */
export type AppFacts = Pick<
  App,
  'stopped' | 'crash' | 'deployment' | 'startedAt' | 'unread' | 'missingSince'
>;

/**
 * `missing`: the server no longer has the app. `unread`: the app was imported and its server was not asked yet. `undeployed`: no deploy succeeded yet.
 * `paused`: somebody stopped the app. `crashed`: the app ended and nobody stopped it. `silent`: the app should
 * run, but no report has named it for five minutes. `running`: the app runs.
 */
export const appStates = [
  'running',
  'silent',
  'crashed',
  'paused',
  'undeployed',
  'unread',
  'missing',
] as const;
export type AppStateKind = (typeof appStates)[number];
export type AppState =
  | { kind: Exclude<AppStateKind, 'silent' | 'missing'> }
  /** `since`: the last report, or the deploy or start if it is newer; null if none is known. */
  | { kind: 'silent'; since: number | null }
  /** `since`: when the server was first found without it. */
  | { kind: 'missing'; since: number };

/**
 * Whether a deploy of the app succeeded. A server without a deploy history reports that one did, but not
 * when.
 */
export const isDeployed = ({ deployment }: Pick<App, 'deployment'>): boolean =>
  deployment.at !== null || deployment.status === 'succeeded';

/**
 * Whether the server has containers of the app that should run. A change that needs new containers restarts
 * them.
 */
export const isMeantToRun = (app: Pick<App, 'stopped' | 'deployment' | 'missingSince'>): boolean =>
  !app.stopped && app.missingSince === null && isDeployed(app);

/**
 * The state of an app, for every page. The server's flags come first; then the reports decide.
 *
 * @param measuredAt when a report last named the app's containers; null: never; undefined: not read yet
 */
export function appState(app: AppFacts, measuredAt: number | null | undefined, now: number): AppState {
  const { stopped, crash, deployment, startedAt, unread, missingSince } = app;
  if (missingSince !== null) return { kind: 'missing', since: missingSince };
  if (unread) return { kind: 'unread' };
  if (stopped) return { kind: 'paused' };
  if (!isDeployed(app)) return { kind: 'undeployed' };
  if (crash && !runsAgain(crash.at, measuredAt)) return { kind: 'crashed' };
  if (measuredAt === undefined) return { kind: 'running' };
  const since = latest(latest(measuredAt, deployment.at), startedAt);
  return since !== null && now - since < staleAfterMs ? { kind: 'running' } : { kind: 'silent', since };
}

/**
 * Reports name running containers only, so a later report ends a crash. The store learns of a start by hand
 * only when somebody looks at the app.
 */
function runsAgain(crashedAt: number | null, measuredAt: number | null | undefined): boolean {
  return crashedAt !== null && measuredAt !== null && measuredAt !== undefined && measuredAt > crashedAt;
}

function latest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

/** "Running", "Running, no report for 12 min", "Crashed", "Paused", "Not deployed yet", "Gone from its server, found 12 min ago". */
export function appStateText(state: AppState, now: number): string {
  switch (state.kind) {
    case 'running':
      return messages.running;
    case 'silent':
      return state.since === null
        ? `${messages.running}, no report yet`
        : `${messages.running}, no report for ${roughly(now - state.since)}`;
    case 'crashed':
      return 'Crashed';
    case 'paused':
      return messages.paused;
    case 'undeployed':
      return 'Not deployed yet';
    case 'unread':
      return 'Not read yet';
    case 'missing':
      return `Gone from its server, found ${roughly(now - state.since)} ago`;
  }
}

function roughly(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / 1_440)} days`;
}
