export const passwordCharacters = { least: 8, most: 128 } as const;
