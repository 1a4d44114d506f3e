import type { z } from 'zod';
import type { GithubDeps } from '../../github/account.ts';
import { type AnyOperationDefinition, defineOperation } from '../../operations/definition.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { onAppInput, pushedFromSchema } from '../changes/on-app.ts';
import { deploymentLeaving } from './leave.ts';
import { forgetSetUp } from './records.ts';

const undoInput = onAppInput.extend(pushedFromSchema.shape);
type Input = z.output<typeof undoInput>;

/** Takes back what the set-up did. */
export function undoDeployment(deps: GithubDeps): AnyOperationDefinition {
  return defineOperation<Input>({
    kind: 'app.continuous-remove',
    input: undoInput,
    title: ({ repository }) => `End of the deployment from ${repository}`,
    steps: (input) => {
      const { onServer, atGithub } = deploymentLeaving<Input>(deps, input, { isWhole: false });
      return [
        onServer,
        ...atGithub,
        {
          key: 'record',
          title: 'Forget the set-up',
          run: async ({ owner, input: { appId } }) => {
            await forgetSetUp(deps.store.db, owner, appId);
            return undefined;
          },
        },
      ];
    },
    beforeRepeat: awaitLeftovers,
  });
}
