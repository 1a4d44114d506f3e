import { expect, test } from 'vitest';
import { deployInstructions } from './deploy-instructions.ts';

const server = { git_user: 'dokku', ip: '203.0.113.24', port: 22 };
const app = { longname: 'ledger', url: null, deploy_branch: null };
const pushes = (deploy_branch: string | null) =>
  deployInstructions(server, { ...app, deploy_branch }, []).commands.flatMap(({ command }) =>
    command.includes('git push') ? command.slice(command.indexOf('git push')) : [],
  );

test('an app without a deploy branch is pushed to main, which becomes it', () => {
  expect(pushes(null)).toEqual(['git push dokku HEAD:main', 'git push dokku HEAD:main']);
});

test('the app’s own deploy branch is pushed to, and how to choose another is said', () => {
  expect(pushes('release/2')).toEqual(['git push dokku HEAD:release/2', 'git push dokku HEAD:release/2']);
  expect(deployInstructions(server, { ...app, deploy_branch: 'trunk' }, [])).toMatchObject({
    branch: 'trunk',
    branchCommand: 'dokku git:set ledger deploy-branch other-branch',
  });
});
