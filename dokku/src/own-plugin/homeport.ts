import { setImmediate as turn } from 'node:timers/promises';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { z } from 'zod';
import { type Command, dokku, hostCommand, type Outcome } from '../command.ts';
import type { Mount } from '../commands/storage.ts';
import { failureOf } from '../failures.ts';
import type { AppName } from '../names/app-name.ts';
import { pluginName } from '../names/plugin-name.ts';
import type { ServiceName } from '../names/service-name.ts';
import { linesOf } from '../output.ts';
import { appsOf, nothingTold, type ReportedApp, type Told, take } from './app-states.ts';
import { databasesOf, noDatabases, type ReportedDatabase, takeDatabase } from './databases.ts';
import { linesOfOne, readTold, those } from './lines.ts';

// The commands of Homeport's own Dokku plugin, whose files are in `dokku/plugin/`.

export type { ReportedApp, ReportedDatabase };

/** The state of one app: one start of Dokku in place of a dozen reports. Ends with 20 for a missing app. */
export function state(app: AppName): Command {
  return dokku('homeport:state', app);
}

/** Null where the answer holds no app. @throws UnreadableOutputError */
export function readState(outcome: Outcome): ReportedApp | null {
  return appsOf(toldBy(readTold('homeport:state', outcome.stdout, linesOfOne).values))[0] ?? null;
}

function toldBy(values: Iterable<unknown>): Told {
  const told = nothingTold();
  for (const value of values) take(told, value);
  return told;
}

/** The state of every app of the server that the caller may see. */
export function states(): Command {
  return dokku('homeport:states');
}

/** A server may have thousands of apps, so the reading lets other work of the process in between. @throws UnreadableOutputError */
export async function readStates(outcome: Outcome): Promise<ReportedApp[]> {
  const { values } = readTold('homeport:states', outcome.stdout);
  const told = nothingTold();
  await takeInTurns(values, (value) => take(told, value));
  return appsOf(told);
}

async function takeInTurns(values: Iterable<unknown>, takeOne: (value: unknown) => void): Promise<void> {
  let lines = 0;
  for (const value of values) {
    takeOne(value);
    lines += 1;
    if (lines % linesAtOnce === 0) await turn();
  }
}

const linesAtOnce = 200;

/** The readme of the deployed branch. The user dokku owns the repository, so that this needs no root. */
export function readme(app: AppName): Command {
  return dokku('homeport:readme', app);
}

/** Null without a readme. @throws UnreadableOutputError */
export function readReadme(outcome: Outcome, app: AppName): string | null {
  return toldBy(readTold('homeport:readme', outcome.stdout, linesOfOne).values).readmes.get(app) ?? null;
}

/** The folders that outlive the app's deploys, with their sizes. Ends after 20 s at the latest. */
export function storage(app: AppName): Command {
  return dokku('homeport:storage', app);
}

const useSchema = z.object({ use: z.object({ path: z.string(), bytes: z.number().nullable() }) });

/** The mounts, each with its bytes or null. Null where Dokku is older than 0.38. @throws UnreadableOutputError */
export function readStorage(outcome: Outcome, app: AppName): (Mount & { usedBytes: number | null })[] | null {
  const values = [...readTold('homeport:storage', outcome.stdout, linesOfOne).values];
  const told = toldBy(values);
  if (!told.server?.namesStorage) return null;
  const bytes = new Map(those(values, useSchema).map(({ use }) => [use.path, use.bytes]));
  return (told.mounts.get(app) ?? []).map((mount) => ({
    ...mount,
    usedBytes: bytes.get(mount.hostPath) ?? null,
  }));
}

/** The state of one database service and the size of its data, within 20 s. Ends with 1 for a missing service (`service_missing`). */
export function databaseState(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku('homeport:database', type, name);
}

/** Null where the answer holds no service. @throws UnreadableOutputError */
export function readDatabaseState(outcome: Outcome): ReportedDatabase | null {
  const told = noDatabases();
  for (const value of readTold('homeport:database', outcome.stdout, linesOfOne).values)
    takeDatabase(told, value);
  return databasesOf(told)[0] ?? null;
}

/** The state of every database service that the caller may see, of every type. Their data are not measured. */
export function databaseStates(): Command {
  return dokku('homeport:databases');
}

/** Lets other work of the process in between, as `readStates` does. @throws UnreadableOutputError */
export async function readDatabaseStates(outcome: Outcome): Promise<ReportedDatabase[]> {
  const { values } = readTold('homeport:databases', outcome.stdout);
  const told = noDatabases();
  await takeInTurns(values, (value) => takeDatabase(told, value));
  return databasesOf(told);
}

/** Whether Dokku answered that it has no such command: the plugin is not installed, or somebody disabled it. */
export function isAbsent(outcome: Outcome): boolean {
  const failure = failureOf(outcome);
  return failure?.code === 'command_unknown' && failure.command.startsWith(`${pluginName}:`);
}

/**
 * The times of the files by which a deploy, a stop and a start show, in words for comparison. The files belong to the user dokku;
 * every account may ask for their times, which starts no Dokku.
 */
export function changeTimes(app: AppName): Command {
  const lib = '/var/lib/dokku';
  const files = [
    buildsFolder,
    `${buildsFolder}/${app}`,
    `${lib}/config/ps/${app}/restore`,
    `${lib}/config/common/${app}/deployed`,
  ];
  return hostCommand(['stat', '-c', '%n %y', '--', ...files], { needsRoot: false });
}

const buildsFolder = '/var/lib/dokku/data/builds';

/** Null where the server does not tell when a deploy begins: Dokku before 0.38, or a folder that this account may not see. */
export function readChangeTimes(outcome: Outcome): string | null {
  const lines = linesOf(outcome.stdout);
  return lines.some((line) => line.startsWith(`${buildsFolder} `)) ? lines.join('\n') : null;
}
