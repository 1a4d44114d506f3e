import { leavingRecordsSchema } from '@homeport/contract/domains/schema';
import { messages } from '@homeport/contract/messages';
import { appName, apps } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import { z } from 'zod';
import { orphanedStep, type RemoveOrphaned } from '../../domains/remove-orphaned.ts';
import { notifyChange } from '../../live/notify-change.ts';
import { type AnyOperationDefinition, defineOperation, type Step } from '../../operations/definition.ts';
import { forgetLinksTo } from '../../records/database-record.ts';
import { checkStorage, removeStorage } from './app-storage.ts';
import { awaitLeftovers } from './await-leftovers.ts';
import { type OnApp, onAppInput, type PushedFrom, pushedFromSchema } from './on-app.ts';

/**
 * `storage`: the folders on the server to delete with the app. `records`: the DNS records. `pushedFrom`: the repository whose pushes
 * deploy the app. `keyOf`: the repository of its deploy key.
 */
const destroyInput = onAppInput.extend({
  storage: z.array(z.string()).default([]),
  records: leavingRecordsSchema,
  pushedFrom: pushedFromSchema.nullable().default(null),
  keyOf: z.string().nullable().default(null),
});
type Input = z.output<typeof destroyInput>;

/**
 * Takes the key of GitHub's pushes away, so that no push makes the app anew, and destroys the app on its server. Then go the chosen
 * storage, the deploy key, the continuous deployment at GitHub and the chosen DNS records, at last the app's record. An app that is
 * already gone there counts as destroyed.
 */
export function destroyApp({
  store: deps,
  leavePushes,
  keySteps,
  removeOrphaned,
}: {
  store: Pick<Store, 'db'>;
  /** The steps that take the app's continuous deployment away. */
  leavePushes: (from: PushedFrom) => { onServer: Step<OnApp>; atGithub: Step<OnApp>[] };
  /** The steps that take the app's deploy key away. */
  keySteps: (keyOf: string) => Step<OnApp>[];
  removeOrphaned: RemoveOrphaned;
}): AnyOperationDefinition {
  return defineOperation<Input>({
    kind: 'app.destroy',
    input: destroyInput,
    title: () => 'Destruction',
    steps: ({ storage, records, appId, pushedFrom, keyOf }) => {
      const pushes = pushedFrom && leavePushes(pushedFrom);
      return [
        ...(storage.length === 0
          ? []
          : [
              { key: 'check-storage', title: 'Check that the storage is the app’s alone', run: checkStorage },
            ]),
        ...(pushes ? [pushes.onServer] : []),
        {
          key: 'destroy',
          title: 'Destroy the app on its server',
          run: async (context) => {
            const ran = await context.run('apps', apps.destroy(appName(context.input.longname)), {
              accept: [0, 20],
              deadlineMs: 10 * 60_000,
            });
            return ran.exitCode === 20 ? { note: 'The server no longer had this app.' } : undefined;
          },
        },
        ...(storage.length === 0
          ? []
          : [{ key: 'storage', title: 'Delete its storage', run: removeStorage }]),
        ...(keyOf === null ? [] : keySteps(keyOf)),
        ...(pushes ? pushes.atGithub : []),
        // The app's row tells which records still point at it, so it goes after them.
        ...orphanedStep<Input>(removeOrphaned, records, { kind: 'app', id: appId }),
        {
          key: 'record',
          title: 'Remove the record',
          run: async (context) => {
            const gone = await deps.db
              .deleteFrom('apps')
              .where('owner_id', '=', context.owner)
              .where('id', '=', context.input.appId)
              .returning(['server_id as serverId', 'longname'])
              .executeTakeFirst();
            await notifyChange(deps.db, context.owner, 'apps', context.input.appId);
            if (gone) await forgetLinksTo(deps.db, context.owner, gone);
            await context.toast('ok', messages.appDestroyed);
            return undefined;
          },
        },
      ];
    },
    beforeRepeat: awaitLeftovers,
  });
}
