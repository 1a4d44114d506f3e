import { z } from 'zod';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { readJson } from '../output.ts';

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

const buildIdSchema = z
  .string()
  .regex(/^[a-z0-9]{1,32}$/)
  .brand<'BuildId'>();
export type BuildId = z.output<typeof buildIdSchema>;

export type Build = {
  readonly id: BuildId;
  readonly kind: string;
  /** `git-hook`, `ps:rebuild`, `config-redeploy`… */
  readonly source: string;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly status: 'running' | 'succeeded' | 'failed' | 'canceled';
};

const rowSchema = z.object({
  id: buildIdSchema,
  kind: z.string(),
  source: z.string(),
  started_at: z.iso.datetime({ offset: true }),
  finished_at: z.iso.datetime({ offset: true }).optional(),
  display_status: z.string(),
});

/**
 * `abandoned` is a failed build whose record Dokku did not close. Left out are records of commands that start the deployed version
 * again: `ps:start` and `ps:scale`, whose source is `deploy`, and `ps:restart`, which Dokku never closes and later calls failed
 * although the restart succeeded.
 */
export function readList(outcome: Outcome): Build[] {
  return readJson('builds:list', outcome.stdout, z.array(rowSchema))
    .filter(({ kind, source }) => kind !== 'deploy' || (source !== 'deploy' && source !== 'ps:restart'))
    .map(toBuild);
}

/** When the server last started the deployed version again (`ps:start`, `ps:scale`). Null when its records have no such start. */
export function readLastStart(outcome: Outcome): number | null {
  const start = readJson('builds:list', outcome.stdout, z.array(rowSchema))
    .filter(({ kind, source }) => kind === 'deploy' && source === 'deploy')
    .map(toBuild)
    .find(({ status }) => status === 'succeeded');
  return start?.finishedAt ?? null;
}

function toBuild(row: z.output<typeof rowSchema>): Build {
  return {
    id: row.id,
    kind: row.kind,
    source: row.source,
    startedAt: Date.parse(row.started_at),
    finishedAt: row.finished_at === undefined ? null : Date.parse(row.finished_at),
    status: z
      .enum(['running', 'succeeded', 'canceled'])
      .or(z.literal('failed'))
      .catch('failed')
      .parse(row.display_status),
  };
}
