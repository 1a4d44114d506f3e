import { firstDeployBranch } from '@homeport/contract/apps/facts';
import type { DeployInstructions } from '@homeport/contract/apps/schema';
import { urlHost } from '@homeport/contract/fields/server-address';
import { quoteWord } from '@homeport/contract/quoting';
import type { ServerRow } from '../records/server-record.ts';

type Server = Pick<ServerRow, 'git_user' | 'ip' | 'port'>;

/** The address that git pushes to. Port 22 allows the short form of git-clone(1), whose first colon ends the host: an IPv6 address has a URL. */
export function remoteUrl(server: Server, longname: string): string {
  if (server.port === 22 && !server.ip.includes(':')) return `${server.git_user}@${server.ip}:${longname}`;
  return `ssh://${server.git_user}@${urlHost(server.ip)}:${server.port}/${longname}`;
}

export function deployInstructions(
  server: Server,
  app: { longname: string; url: string | null; deploy_branch: string | null },
  keyNames: readonly string[],
  { toClone = false }: { toClone?: boolean } = {},
): DeployInstructions {
  const remote = remoteUrl(server, app.longname);
  const branch = app.deploy_branch ?? firstDeployBranch;
  const push = `git push ${toClone ? 'origin' : 'dokku'} ${quoteWord(`HEAD:${branch}`)}`;
  const clone = `git clone ${quoteWord(remote)}`;
  return {
    remoteUrl: remote,
    keyNames: [...keyNames],
    appUrl: app.url,
    commands: [
      toClone
        ? { title: 'Get the files of the app', command: clone }
        : {
            title: 'In your project, add this server as a remote, once',
            command: `git remote add dokku ${quoteWord(remote)}`,
          },
      { title: 'Deploy your commits', command: push },
      {
        title: 'If your key is not in its default place, name its file',
        command: `GIT_SSH_COMMAND="ssh -i ~/.ssh/your_key -o IdentitiesOnly=yes" ${toClone ? clone : push}`,
      },
    ],
    branch,
    branchCommand: `dokku git:set ${quoteWord(app.longname)} deploy-branch other-branch`,
  };
}
