import { buildAndDeploy, repeated } from '../../deploy/deploy.ts';
import type { SandboxCommand } from '../../machine/call.ts';
import { commitOf } from '../../machine/repository.ts';

export const psRebuild: SandboxCommand = {
  name: 'ps:rebuild',
  run: async (call) => {
    call.mergeInto(null);
    const app = call.app(call.words[0]);
    const branch = app.deployBranch || 'master';
    const commit = commitOf(call.state.paths, app.name, branch);
    await repeated(call, () => buildAndDeploy(call, app.name, commit, { source: 'ps:rebuild' }));
  },
};
