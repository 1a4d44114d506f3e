import { planOf } from '@homeport/contract/apps/plans';
import { messages } from '@homeport/contract/messages';
import { appName, resource } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
} from '../../operations/definition.ts';
import { findApp } from '../../records/app-record.ts';
import { awaitLeftovers } from './await-leftovers.ts';
import { changedElsewhere } from './edit-app.ts';
import { onAppInput, recordOnApp } from './on-app.ts';
import { restartIfDeployed, restartOf } from './restart-if-deployed.ts';

type Deps = { db: Kysely<Database> };

const planInput = onAppInput.extend({ plan: z.number(), from: z.number().nullable() });
type PlanInput = z.output<typeof planInput>;

/**
 * Applies the new limits, restarts the app, then saves the record. The specification sets this order, so the
 * record never runs ahead of the server.
 */
export function changePlan(deps: Deps): AnyOperationDefinition {
  return defineOperation<PlanInput>({
    kind: 'app.plan',
    input: planInput,
    title: ({ plan }) => `Change to plan ${plan}`,
    steps: () => [
      {
        key: 'limits',
        title: 'Apply the limits',
        run: async (context) => {
          await refuseStalePlan(deps, context);
          await context.run('apps', limit(context.input));
          await context.toast('ok', messages.appPlanSelected);
          return undefined;
        },
      },
      {
        key: 'restart',
        title: 'Restart the app',
        run: async (context) => {
          const skipped = await restartIfDeployed(context);
          if (!skipped) await context.toast('ok', messages.appRestarted);
          return skipped;
        },
      },
      {
        key: 'record',
        title: 'Save the record',
        run: async (context) => {
          await recordOnApp(deps.db, context, context.input.appId, { plan: context.input.plan });
          await context.toast('ok', messages.appUpdated);
          return undefined;
        },
      },
    ],
    commands: (input) => [
      { work: 'apps', command: limit(input), onlyIf: null },
      { work: 'apps', command: restartOf(input), onlyIf: 'the app was deployed and is not stopped' },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

const limit = ({ longname, plan }: PlanInput) => resource.limit(appName(longname), planOf(plan));

/**
 * Another plan change may have run while this one waited. This one must not overwrite that change unnoticed.
 */
async function refuseStalePlan(deps: Deps, context: StepContext<PlanInput>): Promise<void> {
  const row = await findApp({ owner: context.owner, db: deps.db }, context.input.appId);
  if (row.plan !== context.input.from && row.plan !== context.input.plan) throw changedElsewhere(row);
}
