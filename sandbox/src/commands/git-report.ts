import type { SandboxCommand } from '../machine/call.ts';
import { report } from '../machine/report.ts';
import { commitOf } from '../machine/repository.ts';

export const gitReport: SandboxCommand = {
  name: 'git:report',
  run: (call) =>
    report(call, {
      heading: 'git',
      prefix: 'git',
      bothKeys: false,
      entries: (app) => {
        const branch = app.deployBranch || 'master';
        const values: Record<string, string> = {
          'computed-archive-max-files': '10000',
          'computed-archive-max-size': '1073741824',
          'computed-deploy-branch': branch,
          'computed-keep-git-dir': 'false',
          'deploy-branch': app.deployBranch,
          'global-archive-max-files': '',
          'global-archive-max-size': '',
          'global-deploy-branch': '',
          'global-keep-git-dir': '',
          'keep-git-dir': '',
          'last-updated-at': String(app.deployedAtSeconds ?? ''),
          'rev-env-var': 'GIT_REV',
          // The bare HEAD stays on master. For any other branch the real Dokku answers with the word HEAD.
          sha: (branch === 'master' ? commitOf(call.state.paths, app.name, branch) : null) ?? 'HEAD',
          'source-image': '',
        };
        return Object.entries(values).map(([key, value]) => ({
          flag: `--git-${key}`,
          label: `Git ${key.replaceAll('-', ' ')}`,
          value,
        }));
      },
    }),
};
