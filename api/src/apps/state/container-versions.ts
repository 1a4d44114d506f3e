import type { ProcessContainer } from '@homeport/contract/apps/processes/schema';
import type { builds, homeport, ps } from '@homeport/dokku';

type Version = ProcessContainer['version'];

type Told = {
  containers: readonly Pick<ps.ContainerState, 'id' | 'image' | 'createdAt'>[];
  builds: readonly Pick<builds.Build, 'id' | 'startedAt' | 'finishedAt'>[];
  commits: homeport.ReportedApp['commits'];
  revisions: ReadonlyMap<string, string>;
};

/**
 * Which version runs in each container, by the container’s id. The image decides whether two run the same. Its commit is that of
 * the deploy during which a container of the image was made, as the plugin noted it. Otherwise it is the commit that the container
 * says of itself, which a rebuild after a refused push leaves at the refused one.
 */
export function versionsOf({ containers, builds, commits, revisions }: Told): Map<string, Version> {
  const noted = new Map(commits.map((commit) => [commit.build, commit]));
  const titles = new Map(commits.map(({ commit, title }) => [commit, title || null]));
  const ofImage = new Map<string, homeport.ReportedApp['commits'][number]>();
  for (const { image, createdAt } of containers) {
    const build = builds.find(
      ({ startedAt, finishedAt }) =>
        startedAt <= createdAt && (finishedAt === null || createdAt <= finishedAt),
    );
    const commit = build && noted.get(build.id);
    if (commit) ofImage.set(image, commit);
  }
  return new Map(
    containers.map(({ id, image }) => {
      const sha = ofImage.get(image)?.commit ?? revisions.get(id) ?? null;
      return [id, { image, sha, title: sha === null ? null : (titles.get(sha) ?? null) }];
    }),
  );
}
