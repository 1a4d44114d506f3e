import type { ProcessContainer } from '@homeport/contract/apps/processes/schema';

type Version = ProcessContainer['version'];

/**
 * Says which version of which type serves where the running containers do not agree: a deploy that fails at one type leaves the
 * types before it on the new version. Null where all run the same.
 */
export function servingText(containers: readonly ProcessContainer[], deployFailed: boolean): string | null {
  const running = containers.filter(({ state }) => state === 'running');
  const newestFirst = running.toSorted((a, b) => b.createdAt - a.createdAt);
  const byImage = new Map<string, { version: Version; types: Set<string> }>();
  for (const { name, version } of newestFirst) {
    const known = byImage.get(version.image) ?? { version, types: new Set<string>() };
    known.types.add(typeOf(name));
    byImage.set(version.image, known);
  }
  if (byImage.size < 2) return null;
  const parts = [...byImage.values()].map(
    ({ version, types }, at) =>
      `${[...types].join(' and ')} ${at === 0 ? '' : 'still '}${types.size === 1 ? 'runs' : 'run'} ${versionText(version, at === 0)}`,
  );
  const cause = deployFailed ? 'The last deploy failed half-way' : 'Not all processes run the same version';
  return `${cause}: ${parts.join(', ')}.`;
}

/** `web.1` is of `web`. */
export const typeOf = (name: string) => name.slice(0, name.lastIndexOf('.'));

function versionText({ sha, title }: Version, isNewest: boolean): string {
  if (sha === null) return isNewest ? 'the newer version' : 'the one before';
  return title === null ? sha.slice(0, 7) : `${sha.slice(0, 7)} “${title}”`;
}
