import type { SandboxCommand } from '../machine/call.ts';

const keys = 'archive-max-files, archive-max-size, deploy-branch, keep-git-dir, rev-env-var, source-image';

export const gitSet: SandboxCommand = {
  name: 'git:set',
  run: (call) => {
    const [name, key = '', value = ''] = call.words;
    const app = call.app(name);
    if (!keys.split(', ').includes(key)) call.fail(`Invalid key specified, valid keys include: ${keys}`);
    if (key === 'deploy-branch')
      call.state.changeApp(app.name, (next) => {
        next.deployBranch = value;
      });
    call.title(value === '' ? `Unsetting ${key}` : `Setting ${key} to ${value}`);
  },
};
