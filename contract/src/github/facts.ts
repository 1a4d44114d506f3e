/** What a sign-in asks of GitHub: who the person is, and an address for a new account. */
export const signInScopes = ['read:user', 'user:email'] as const;
/** What linking asks for beside that: repositories, their secrets, and workflow files. */
export const deployScopes = [...signInScopes, 'repo', 'workflow'] as const;

/** How an account is linked: by consent, by an access token with scopes, or by a fine-grained one. */
export const githubLinkKinds = ['oauth', 'token', 'fine_grained'] as const;
export type GithubLinkKind = (typeof githubLinkKinds)[number];

/** What a fine-grained token needs, in GitHub's words ("Permissions required for fine-grained personal access tokens"). */
export const fineGrainedPermissions = [
  'Administration: read and write',
  'Contents: read and write',
  'Pull requests: read and write',
  'Secrets: read and write',
  'Workflows: read and write',
  'Actions: read',
] as const;
/** GitHub's longest tokens have 93 characters today, and it asks programs to take more. */
export const githubTokenCharacters = 255;

/** A person has this long to answer on GitHub's page. */
export const consentMinutes = 10;

/** A page that shows the repositories asks GitHub again when the list is older than this. */
export const repositoriesFreshMs = 5 * 60_000;

export const workflowPath = '.github/workflows/deploy.yml';
/** The secret that the specification names. */
export const deploySecretName = 'SSH_PRIVATE_KEY';
/** The branch of the pull request where the default branch is protected. */
export const proposalBranch = 'homeport/deploy';
/** Said by the console, and by the page beside the field. */
export const noSuchCommit = 'The repository has no such branch or commit.';

/** The largest archive of a private repository that the console passes on. */
export const archiveBytes = 500_000_000;

/** The ways to a private commit: the server fetches it with the app's deploy key, or the console passes an archive on. */
export const privateWays = ['key', 'archive'] as const;
export type PrivateWay = (typeof privateWays)[number];

/** Why a private commit goes by an archive and not with a deploy key. After `refused` the person may try the key again. */
export const deployKeyObstacles = ['plugin', 'dokku', 'no_admin', 'no_host_keys', 'refused'] as const;
export type DeployKeyObstacle = (typeof deployKeyObstacles)[number];
/** The first version of Homeport's Dokku plugin that makes deploy keys. */
export const deployKeyPlugin = '1.4.0';

/** Runs of the workflow that a page shows. */
export const runsShown = 5;
