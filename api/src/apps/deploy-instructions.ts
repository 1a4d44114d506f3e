import type { DeployInstructions } from '@homeport/contract/apps/schema';
import { quoteWord } from '@homeport/contract/quoting';
import type { ServerRow } from '../records/server-record.ts';

type Server = Pick<ServerRow, 'git_user' | 'ip' | 'port'>;

/** The address that git pushes to; the short form of git-clone(1) where the port is the usual one. */
export function remoteUrl(server: Server, longname: string): string {
  if (server.port === 22) return `${server.git_user}@${server.ip}:${longname}`;
  return `ssh://${server.git_user}@${server.ip}:${server.port}/${longname}`;
}

export function deployInstructions(
  server: Server,
  app: { longname: string; url: string | null },
  keyNames: readonly string[],
): DeployInstructions {
  const remote = remoteUrl(server, app.longname);
  return {
    remoteUrl: remote,
    keyNames: [...keyNames],
    appUrl: app.url,
    commands: [
      {
        title: 'In your project, name this server once',
        command: `git remote add dokku ${quoteWord(remote)}`,
      },
      { title: 'Deploy what is committed', command: 'git push dokku HEAD:main' },
      {
        title: 'Where your key is not in its usual place, name its file',
        command: `GIT_SSH_COMMAND="ssh -i ~/.ssh/your_key -o IdentitiesOnly=yes" git push dokku HEAD:main`,
      },
    ],
  };
}
