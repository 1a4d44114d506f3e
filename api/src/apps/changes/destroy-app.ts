import { messages } from '@homeport/contract/messages';
import { appName, apps } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import { tellChange } from '../../live/tell-change.ts';
import { type AnyOperationDefinition, defineOperation } from '../../operations/definition.ts';
import { awaitLeftovers } from './await-leftovers.ts';
import { type OnApp, onAppInput } from './on-app.ts';

/** Destroys the app on its server, then its record. An app that is already gone there counts as destroyed. */
export function destroyApp(deps: Pick<Store, 'db'>): AnyOperationDefinition {
  return defineOperation<OnApp>({
    kind: 'app.destroy',
    input: onAppInput,
    title: () => 'Destruction',
    steps: () => [
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
      {
        key: 'record',
        title: 'Remove the record',
        run: async (context) => {
          await deps.db
            .deleteFrom('apps')
            .where('owner_id', '=', context.owner)
            .where('id', '=', context.input.appId)
            .execute();
          await tellChange(deps.db, context.owner, 'apps', context.input.appId);
          await context.toast('ok', messages.appDestroyed);
          return undefined;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
  });
}
