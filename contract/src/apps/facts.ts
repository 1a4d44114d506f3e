/** Public keys that one creation lets push. */
export const keysPerCreation = 50;

/** Lines of each container that the log view begins with: unless asked otherwise, and the most. */
export const logLines = { first: 200, most: 100_000 } as const;

/** The branch of an app without one. Dokku takes the first branch that is pushed, and our instructions push this one. */
export const firstDeployBranch = 'main';
