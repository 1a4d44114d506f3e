import { ok } from 'node:assert/strict';
import { stripVTControlCharacters } from 'node:util';
import type {
  AppName,
  Command,
  DokkuFailure,
  Outcome,
  ServiceName,
  SshKeyName,
  storage,
} from '../src/index.ts';
import { failureOf } from '../src/index.ts';

/** A Dokku host, as the checks see it. */
export type LiveHost = {
  run(command: Command): Promise<Outcome>;
  /**
   * Reads a stream that may have no end, on a terminal. Closes the stream when `until` holds for the output so far, or after
   * 30 s. Rejects when the command does not end with its stream.
   */
  follow(command: Command, until: (stdout: string) => boolean): Promise<Outcome>;
  /** Makes a repository of the files alone and pushes it to the app's `main` by git, whatever stood there. */
  push(app: AppName, files: Readonly<Record<string, string>>): Promise<Outcome>;
  /** The public half of the key that `push` uses. The checks add it to the server. */
  readonly publicKey: string;
};

/** The names of everything that the checks make. They touch nothing else on the host. */
export type LiveNames = {
  readonly app: AppName;
  readonly key: SshKeyName;
  readonly storage: storage.StorageName;
  readonly database: ServiceName;
};

export type LiveStage = LiveNames & {
  readonly host: LiveHost;
  /** Plugins that are installed and enabled. */
  readonly plugins: ReadonlySet<string>;
};

/** One assertion about a host. It throws when the host answers otherwise. The checks of a list run in order. */
export type LiveCheck = { readonly name: string; readonly run: (stage: LiveStage) => Promise<void> };

/** The outcome of a command that succeeded. @throws AssertionError for any other */
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
