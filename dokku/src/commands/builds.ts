import { z } from 'zod';
import { type Build, type BuildId, buildRecordSchema, buildsOf, lastStartOf } from '../app-state/builds.ts';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { readJson } from '../output.ts';

export type { Build, BuildId };

/** Newest first, at most 20. Dokku 0.38 or later. */
export function list(app: AppName): Command {
  return dokku('builds:list', app, '--format', 'json');
}

/**
 * The log of a build. The log of a running deploy never ends, not even with the deploy, so follow it on a terminal, poll `list`
 * and then close the stream.
 */
export function output(app: AppName, build: BuildId | 'current'): Command {
  return dokku('builds:output', app, build);
}

const rowSchema = buildRecordSchema.extend({ display_status: z.string() });

/** Leaves out records of commands that start the deployed version again. */
export function readList(outcome: Outcome): Build[] {
  return buildsOf(readJson('builds:list', outcome.stdout, z.array(rowSchema)));
}

/** When the server last started the deployed version again (`ps:start`, `ps:scale`). Null when its records have no such start. */
export function readLastStart(outcome: Outcome): number | null {
  return lastStartOf(readJson('builds:list', outcome.stdout, z.array(rowSchema)));
}
