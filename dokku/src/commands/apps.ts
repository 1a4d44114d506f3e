import { z } from 'zod';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { epochSecondsToMs, linesOf, readJson, reportSchema, reportValue } from '../output.ts';

/** Not safe to repeat: ask `exists` first. Takes 3 to 6 s. */
export function create(app: AppName): Command {
  return dokku('apps:create', app);
}

/** Ends with 0, or with 20 for a missing app (`app_missing`). */
export function exists(app: AppName): Command {
  return dokku('apps:exists', app);
}

/** Prints one name a line; `readList` reads the answer. Every version knows this command. */
export function list(): Command {
  return dokku('--quiet', 'apps:list');
}

/** A server without apps prints a message on stderr and nothing on stdout, which reads as an empty list. */
export function readList(outcome: Outcome): string[] {
  return linesOf(outcome.stdout).filter((line) => line !== '' && !line.startsWith('=====>'));
}

export function report(app: AppName): Command {
  return dokku('apps:report', app, '--format', 'json');
}

export type AppReport = {
  /** Where Dokku keeps the app's repository: `/home/dokku/ledger`, or below another DOKKU_ROOT. */
  readonly folder: string;
  /** Null before Dokku 0.29. */
  readonly createdAt: number | null;
  /** `git-push`, `git-sync`, `docker-image`, `tar`…; empty before the first deploy. */
  readonly deploySource: string;
  readonly deploySourceMetadata: string;
  readonly locked: boolean;
};

export function readReport(outcome: Outcome): AppReport {
  const report = readJson('apps:report', outcome.stdout, reportSchema);
  const value = (key: string) => reportValue(report, 'app', key);
  return {
    folder: value('dir'),
    createdAt: epochSecondsToMs(value('created-at')),
    deploySource: value('deploy-source'),
    deploySourceMetadata: value('deploy-source-metadata'),
    locked: value('locked') === 'true',
  };
}

/** Keeps linked services and the folders under data/storage; drops domains, certificates and configuration. */
export function destroy(app: AppName): Command {
  return dokku('apps:destroy', '--force', app);
}

/** The addresses under which the app answers, one a line. */
export function urls(app: AppName): Command {
  return dokku('urls', app);
}

export function readUrls(outcome: Outcome): string[] {
  return linesOf(outcome.stdout).filter((line) => z.url().safeParse(line).success);
}
