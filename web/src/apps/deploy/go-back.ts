import type { KeptRelease, Releases } from '@homeport/contract/apps/releases/schema';
import type { Deploy } from '@homeport/contract/apps/settings-schema';
import { deployWords } from './deploy-words.ts';

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

/** What the app goes back to: a version that the server keeps, a commit that it builds anew, or one of both. */
export interface WayBack {
  title: string;
  /** "by Ada" */
  facts: readonly string[];
  /** Null where nobody noted it. */
  sha: string | null;
  at: number;
  /** Null: the server keeps no image of it. */
  release: KeptRelease | null;
  /** Whether the commit can be built anew. */
  builds: boolean;
  /** An earlier going-back was cut off, and this one ends that first. */
  endsEarlier: boolean;
}

/** Where the history leads from one of its deploys; null where it leads nowhere. */
export function wayFrom(
  deploys: readonly Deploy[],
  releases: Releases | null,
  deploy: Deploy,
): WayBack | null {
  const built = waysBack(deploys).get(deploy.id);
  // The server keeps one version of each commit.
  const release =
    leadsTo(releases).find(
      ({ id, commit }) => id === deploy.id || (built !== undefined && commit?.sha === built.commit.sha),
    ) ?? null;
  if (!built && !release) return null;
  const sha = (deploy.commit ?? release?.commit)?.sha ?? null;
  return {
    ...{ ...deployWords(deploy), sha, at: deploy.startedAt, release, builds: built !== undefined },
    endsEarlier: releases !== null && releases.cutOff !== null,
  };
}

/** The way back to a kept version, whose commit can be built anew where the history still leads there; null where it serves. */
export function wayTo(deploys: readonly Deploy[], releases: Releases, release: KeptRelease): WayBack | null {
  if (!leadsTo(releases).includes(release)) return null;
  const { commit, keptAt } = release;
  const builds = [...waysBack(deploys).values()].some((deploy) => deploy.commit.sha === commit?.sha);
  return {
    ...{ ...keptWords(release), sha: commit?.sha ?? null, at: keptAt, release, builds },
    endsEarlier: releases.cutOff !== null,
  };
}

/** After a going-back that was cut off the version that serves may be a part of what is there, so the app goes back to it, too. */
const leadsTo = (releases: Releases | null) =>
  (releases?.kept ?? []).filter(({ serving }) => !serving || releases?.cutOff !== null);

/** The words for a kept version. */
export function keptWords({ commit }: KeptRelease): { title: string; facts: string[] } {
  return {
    title: commit?.title ?? 'A version without a known commit',
    facts: commit?.author ? [`by ${commit.author}`] : [],
  };
}
