import { rulesSchema } from '@homeport/contract/apps/processes/schema';
import { appName, ps } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import type { z } from 'zod';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
} from '../../operations/definition.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { readAgain } from '../changes/control-app.ts';
import { onAppInput } from '../changes/on-app.ts';
import { restartIfDeployed } from '../changes/restart-if-deployed.ts';

const rulesInput = onAppInput.extend(rulesSchema.shape);
type RulesInput = z.output<typeof rulesInput>;

/** Sets when Docker starts a container again, and how long Dokku lets one end. Both hold for containers made from then on. */
export function changeRules(deps: Pick<Store, 'db' | 'pool'>): AnyOperationDefinition {
  return defineOperation<RulesInput>({
    kind: 'app.process-rules',
    input: rulesInput,
    title: () => 'Change of restart and stop rules',
    steps: () => [
      { key: 'set', title: 'Keep the rules', run: setRules },
      { key: 'restart', title: 'Restart the app', run: restartIfDeployed },
      {
        key: 'read',
        title: 'Read the app’s state',
        run: async (context) => {
          await readAgain(deps, context);
          await context.toast('ok', 'Rules changed');
          return undefined;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
    onFailure: (context) => readAgain(deps, context),
  });
}

async function setRules(context: StepContext<RulesInput>): Promise<undefined> {
  const { longname, restartPolicy, stopSeconds } = context.input;
  const app = appName(longname);
  if (restartPolicy !== undefined) await context.run('apps', ps.setRestartPolicy(app, restartPolicy));
  if (stopSeconds !== undefined) await context.run('apps', ps.setStopSeconds(app, stopSeconds));
}
