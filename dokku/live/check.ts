import { ok } from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import type { AppName, Command, DokkuFailure, Outcome, SshKeyName, storage } from '../src/index.ts';
import { failureOf } from '../src/index.ts';

/** A Dokku host, as the checks see it. */
export type LiveHost = {
  run(command: Command): Promise<Outcome>;
  /** Reads a stream that need not end: closes it when `until` holds for what came, or after 30 s. */
  follow(command: Command, until: (stdout: string) => boolean): Promise<Outcome>;
  /** Commits the files and pushes them to the app's `main` by git. */
  push(app: AppName, files: Readonly<Record<string, string>>): Promise<Outcome>;
  /** The public half of the key that `push` uses; the checks bring it to the server. */
  readonly publicKey: string;
};

/** The names that the checks make things under; nothing else on the host is touched. */
export type LiveNames = {
  readonly app: AppName;
  readonly key: SshKeyName;
  readonly storage: storage.StorageName;
};

export type LiveStage = LiveNames & {
  readonly host: LiveHost;
  /** Plugins that are installed and enabled. */
  readonly plugins: ReadonlySet<string>;
};

/** One assertion about a host. It throws where the host answers otherwise; those of one list run in its order. */
export type LiveCheck = { readonly name: string; readonly run: (stage: LiveStage) => Promise<void> };

/** The outcome, when the command did what was asked. @throws AssertionError */
export function done(outcome: Outcome): Outcome {
  const failure = failureOf(outcome);
  ok(failure === null, `${JSON.stringify(failure)}: ${tail(outcome)}`);
  return outcome;
}

/** @throws AssertionError unless the command failed for exactly this reason. */
export function refused(outcome: Outcome, code: DokkuFailure['code'], exitCode?: number): void {
  const failure = failureOf(outcome);
  ok(failure?.code === code, `expected ${code}, found ${JSON.stringify(failure)}: ${tail(outcome)}`);
  if (exitCode !== undefined) {
    ok(outcome.exitCode === exitCode, `expected exit code ${exitCode}, found ${outcome.exitCode}`);
  }
}

function tail(outcome: Outcome): string {
  return stripVTControlCharacters(`${outcome.stdout}\n${outcome.stderr}`).trim().slice(-400);
}
