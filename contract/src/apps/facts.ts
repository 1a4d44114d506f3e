/** How many public keys one creation may let push. */
export const keysPerCreation = 50;

/** The containers of failed deploys that one operation removes. Homeport’s plugin takes as many. */
export const leftContainersAtOnce = 50;

/** How many lines of each container the log view begins with: by default, and at most. */
export const logLines = { first: 200, most: 100_000 } as const;

/**
 * The branch that our instructions push to an app without a deploy branch. Dokku makes the first pushed branch
 * the deploy branch.
 */
export const firstDeployBranch = 'main';

/**
 * What a server tells of an app and the console keeps, so that a page shows it before the server is asked
 * again.
 */
export const readingParts = [
  'deploys',
  'resources',
  'system',
  'storage',
  'readme',
  'processes',
  'pushers',
] as const;
export type ReadingPart = (typeof readingParts)[number];

/** The small programs that a new app may begin with. `api/starters/` holds their files. */
export const starterNames = ['static', 'node', 'python', 'dockerfile'] as const;
export type StarterName = (typeof starterNames)[number];
export const starterTitles: Record<StarterName, string> = {
  static: 'Static site',
  node: 'Node.js',
  python: 'Python',
  dockerfile: 'Dockerfile',
};
