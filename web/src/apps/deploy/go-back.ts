import type { Deploy } from '@homeport/contract/apps/settings-schema';

/** A deploy whose commit the server noted. */
export type CommitDeploy = Deploy & { commit: NonNullable<Deploy['commit']> };

const hasCommit = (deploy: Deploy): deploy is CommitDeploy => deploy.commit !== null;

/** The successful deploys that built something, newest first. New variables restart the version that is there. */
const built = (deploys: readonly Deploy[]) =>
  deploys.filter(({ status, source }) => status === 'succeeded' && source !== 'config-redeploy');

const isImage = ({ source }: Deploy) => source === 'git:from-image' || source === 'git:load-image';

/** The deploy whose version runs, as far as the history tells. Null where its commit was not noted. */
export function runningDeploy(deploys: readonly Deploy[]): CommitDeploy | null {
  const [last] = built(deploys);
  return last && hasCommit(last) ? last : null;
}

/**
 * The deploys that the app can go back to: the newest of each commit. The commit that runs is one of them only after a deploy that did
 * not succeed, which can leave Dokku's deploy branch elsewhere. An image is no commit: its tag may lead to another image today.
 */
export function waysBack(deploys: readonly Deploy[]): ReadonlyMap<string, CommitDeploy> {
  const running = runningDeploy(deploys)?.commit.sha;
  const found = new Map<string, CommitDeploy>();
  const [newest] = built(deploys);
  if (newest && isImage(newest)) return new Map();
  for (const deploy of built(deploys))
    if (hasCommit(deploy) && !isImage(deploy) && !found.has(deploy.commit.sha))
      found.set(deploy.commit.sha, deploy);
  const last = deploys.find(({ source }) => source !== 'config-redeploy');
  const mayStandElsewhere = last?.status === 'failed' || last?.status === 'canceled';
  if (running !== undefined && !mayStandElsewhere) found.delete(running);
  return new Map([...found.values()].map((deploy) => [deploy.id, deploy]));
}
