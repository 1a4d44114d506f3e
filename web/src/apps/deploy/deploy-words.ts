import type { Deploy } from '@homeport/contract/apps/settings-schema';

/** Dokku's names for what begins a deploy. */
const ways: Record<string, string> = {
  'git-hook': 'Push',
  'git:sync': 'Build from Git',
  'git:from-archive': 'Files from an archive',
  'git:from-image': 'Image',
  'git:load-image': 'Image',
  'ps:rebuild': 'Rebuild',
  'config-redeploy': 'New variables',
  // A start, which is in no history, but for a going-back to a kept version.
  deploy: 'Went back',
};

/**
 * The words for one deploy. A push is the usual way, so only another way stands beside the commit. Dokku itself writes the commit of an
 * archive, so its message and author say nothing about the files.
 */
export function deployWords({ source, commit }: Pick<Deploy, 'source' | 'commit'>): {
  title: string;
  facts: string[];
} {
  const way = ways[source] ?? source;
  if (source === 'git:from-archive' || commit === null || commit.title === null)
    return { title: way, facts: [] };
  const by = commit.author === null ? [] : [`by ${commit.author}`];
  return { title: commit.title, facts: source === 'git-hook' ? by : [...by, way.toLowerCase()] };
}
