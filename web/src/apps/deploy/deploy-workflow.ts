import { quoteWord } from '@homeport/contract/quoting';

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

export interface WorkflowOptions {
  remoteUrl: string;
  /** The repository's default branch. Pushes to this branch are deployed. */
  branch: string;
  /** The branch of the app that Dokku builds. The repository's branch may have another name. */
  deployBranch: string;
}

/**
 * A GitHub Actions workflow that deploys each push to `branch`. It uses Dokku's own action. Values are YAML
 * strings written as JSON.
 */
export function deployWorkflow({ remoteUrl, branch, deployBranch }: WorkflowOptions): string {
  return `name: Deploy
on:
  push:
    branches: [${JSON.stringify(branch)}]
concurrency: deploy
jobs:
  deploy:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: dokku/github-action@v1.9.0
        with:
          branch: ${JSON.stringify(deployBranch)}
          git_remote_url: ${JSON.stringify(gitUrl(remoteUrl))}
          ssh_private_key: \${{ secrets.SSH_PRIVATE_KEY }}
          ssh_host_key: \${{ secrets.SSH_HOST_KEY }}
`;
}
