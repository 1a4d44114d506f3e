/** Public keys that one creation lets push. */
export const keysPerCreation = 50;

/** Lines of each container that the log view begins with: unless asked otherwise, and the most. */
export const logLines = { first: 200, most: 100_000 } as const;
