import { quoteWord } from '../quoting.ts';
import { deploySecretName } from './facts.ts';

/**
 * The command that prints a server's known_hosts line, ssh-keyscan(1). The user compares the line with the
 * pinned fingerprint.
 */
export function keyscanCommand({ host, port }: { host: string; port: number }): string {
  return `ssh-keyscan -p ${port} ${quoteWord(host)}`;
}

/** The GitHub action accepts URLs only, not git's short form `user@host:path`. */
export function gitUrl(remoteUrl: string): string {
  const short = /^([^@/:]+)@(\[[^\]]+\]|[^:/]+):(.+)$/.exec(remoteUrl);
  return short ? `ssh://${short[1]}@${short[2]}:22/${short[3]}` : remoteUrl;
}

/** A line of known_hosts, sshd(8). A port other than 22 stands beside the host in brackets. */
export function knownHostsLine(
  { host, port }: { host: string; port: number },
  { type, blob }: { type: string; blob: string },
): string {
  const name = port === 22 ? host : `[${host.replace(/^\[|\]$/g, '')}]:${port}`;
  return `${name} ${type} ${blob}`;
}

export interface WorkflowOptions {
  /** The app's name in Dokku. */
  longname: string;
  remoteUrl: string;
  /** The repository's default branch. Pushes to this branch are deployed. */
  branch: string;
  /** The branch of the app that Dokku builds. The repository's branch may have another name. */
  deployBranch: string;
  /** The server's line of known_hosts. Null: a secret of the repository holds it. */
  hostKey: string | null;
}

/** By its first line a workflow is known as Homeport's own, for this app. */
export const workflowMark = (longname: string) => `# Homeport deploys ${longname} with this file.`;

/**
 * A GitHub Actions workflow that deploys each push to `branch`. It uses Dokku's own action. Values are YAML
 * strings written as JSON. A running deploy is not cancelled: Dokku would keep the app locked.
 */
export function deployWorkflow(options: WorkflowOptions): string {
  const { longname, remoteUrl, branch, deployBranch, hostKey } = options;
  return `${workflowMark(longname)}
name: Deploy
on:
  push:
    branches: [${JSON.stringify(branch)}]
  workflow_dispatch:
permissions:
  contents: read
concurrency:
  group: ${JSON.stringify(`deploy-${longname}`)}
  cancel-in-progress: false
jobs:
  deploy:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: dokku/github-action@v1.10.0
        with:
          branch: ${JSON.stringify(deployBranch)}
          git_remote_url: ${JSON.stringify(gitUrl(remoteUrl))}
          ssh_private_key: \${{ secrets.${deploySecretName} }}
          ssh_host_key: ${hostKey === null ? `\${{ secrets.SSH_HOST_KEY }}` : JSON.stringify(hostKey)}
`;
}
