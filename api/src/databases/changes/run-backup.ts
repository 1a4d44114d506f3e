import { schedules } from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import { type AnyOperationDefinition, defineOperation } from '../../operations/definition.ts';
import { findDatabase } from '../../records/database-record.ts';
import { findServer } from '../../records/server-record.ts';
import { tailOf } from '../../remote/run-command.ts';
import { readSchedule, refusedSchedule } from '../schedules/on-server.ts';
import { recordSchedule } from '../schedules/schedule-record.ts';
import { dumpDeadlineMs } from './dump-database.ts';
import {
  awaitLeftovers,
  type Deps,
  nameOf,
  type OnDatabase,
  onDatabaseInput,
  quietly,
} from './on-database.ts';

/** Makes the scheduled backup at once, as the server’s crontab does at its time. */
export function runBackup(deps: Deps): AnyOperationDefinition {
  return defineOperation<OnDatabase>({
    kind: 'database.backup',
    input: onDatabaseInput,
    title: () => 'Backup',
    steps: () => [
      {
        key: 'backup',
        title: 'Make the scheduled backup',
        run: async (context) => {
          const { owner, input } = context;
          const ran = await context.run('apps', schedules.run(input.type, nameOf(context)), {
            accept: 'any',
            quiet: 'answer',
            deadlineMs: dumpDeadlineMs,
          });
          const told = await readSchedule(quietly(context), input);
          if (told) await recordSchedule(deps, owner, { ...input, id: input.databaseId }, told);
          if (ran.exitCode === 0) {
            await context.toast('ok', 'Backup made');
            return undefined;
          }
          const text = told?.runs.findLast(({ state }) => state !== 'running')?.text;
          if (!text) throw refusedSchedule(ran);
          throw new ProblemError('remote_failed', text, {
            remote: { ...ran.record, outputTail: tailOf({ stdout: '', stderr: ran.stderr }) },
          });
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

const installDeadlineMs = 10 * 60_000;

/** Installs the client that copies backups, from the distribution of the server. The person has agreed. */
export function installBackupClient(deps: Deps): AnyOperationDefinition {
  return defineOperation<OnDatabase>({
    kind: 'database.backup-client',
    input: onDatabaseInput,
    title: () => 'rclone',
    steps: () => [
      {
        key: 'install',
        title: 'Install rclone',
        run: async (context) => {
          const scope = { owner: context.owner, db: deps.db };
          const { server_id } = await findDatabase(scope, context.input.databaseId);
          const { sandbox } = await findServer(scope, server_id);
          context.note('Installs the package rclone of the server’s distribution, as root.');
          for (const command of schedules.installClient({ needsRoot: !sandbox }))
            await context.run('root', command, { deadlineMs: installDeadlineMs });
          await context.toast('ok', 'rclone is installed');
          return undefined;
        },
      },
    ],
  });
}
