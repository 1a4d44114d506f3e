import { Exit, type SandboxCommand } from '../program/call.ts';
import { buildAndDeploy } from '../program/deploy.ts';
import { commitOf } from '../program/repository.ts';

export const psRebuild: SandboxCommand = {
  name: 'ps:rebuild',
  run: async (call) => {
    call.mergeInto(null);
    const app = call.app(call.words[0]);
    const branch = app.deployBranch || 'master';
    const commit = commitOf(call.state.paths, app.name, branch);
    if (!commit) {
      call.out(
        `\u001b[1G\u001b[K-----> WARNING: Cannot build from '${branch}' as there are no commits stored at that branch.`,
      );
      throw new Exit(1);
    }
    await buildAndDeploy(call, app.name, commit, 'ps:rebuild');
  },
};
