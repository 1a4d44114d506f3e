import { quoteWord } from '@homeport/contract/quoting';

/** Where a server's known_hosts line comes from: ssh-keyscan(1), to be compared with the fingerprint that is pinned. */
export function keyscanCommand({ host, port }: { host: string; port: number }): string {
  return `ssh-keyscan -p ${port} ${quoteWord(host)}`;
}

/** A GitHub Actions workflow that pushes what arrives on `main` to the app, with plain git and ssh. */
export function deployWorkflow(remoteUrl: string): string {
  return `name: Deploy
on:
  push:
    branches: [main]
concurrency: deploy
jobs:
  deploy:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - name: Push to the server
        env:
          DEPLOY_KEY: \${{ secrets.DEPLOY_KEY }}
          KNOWN_HOSTS: \${{ secrets.KNOWN_HOSTS }}
          GIT_SSH_COMMAND: ssh -i deploy_key -o IdentitiesOnly=yes -o UserKnownHostsFile=known_hosts
        run: |
          umask 077
          printf '%s\\n' "$DEPLOY_KEY" > deploy_key
          printf '%s\\n' "$KNOWN_HOSTS" > known_hosts
          git push ${quoteWord(remoteUrl)} HEAD:main
`;
}
