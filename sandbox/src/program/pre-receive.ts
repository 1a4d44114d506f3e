import { readFileSync } from 'node:fs';
import { buildAndDeploy } from '../deploy/deploy.ts';
import { Call, Exit } from '../machine/call.ts';

/** Git's hook: deploys a push to the deploy branch, and refuses the push when the deploy fails (githooks(5)). */
export async function preReceive(name: string): Promise<number> {
  const call = new Call({ command: 'git-hook', words: [], keyName: process.env.DOKKU_SANDBOX_KEY ?? null });
  call.surviveHangup();
  try {
    for (const line of readFileSync(0, 'utf8').split('\n').slice(0, -1)) {
      const [, commit = '', ref = ''] = line.split(' ');
      if (!/^0+$/.test(commit)) await receive(call, name, commit, ref.replace('refs/heads/', ''));
    }
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.code;
    throw error;
  }
}

async function receive(call: Call, name: string, commit: string, branch: string): Promise<void> {
  if (call.app(name).deployBranch === '') {
    call.state.changeApp(name, (app) => {
      app.deployBranch = branch;
    });
    call.out(`\u001b[1G\u001b[K-----> Set ${branch} as deploy-branch`);
  }
  const deployBranch = call.app(name).deployBranch;
  if (branch === deployBranch) return buildAndDeploy(call, name, commit, { source: 'git-hook' });
  call.out(`\u001b[1G\u001b[K-----> WARNING: deploy did not complete, you must push to ${deployBranch}.`);
  call.out(`\u001b[1G\u001b[K-----> for example, try 'git push <dokku> ${branch}:${deployBranch}'`);
}
