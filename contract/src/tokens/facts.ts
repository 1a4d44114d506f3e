/**
 * What a personal API token may be good for. An area is the word after `/api/` of a route; `stats` are the
 * monitor's routes.
 */
export const tokenAreas = [
  'servers',
  'apps',
  'databases',
  'proxies',
  // Domains at Cloudflare, with their records.
  'zones',
  'keys',
  'operations',
  'stats',
] as const;
export type TokenArea = (typeof tokenAreas)[number];

/** `write` includes `read`. */
export const tokenLevels = ['read', 'write'] as const;
export type TokenLevel = (typeof tokenLevels)[number];
export type TokenScope = `${TokenArea}:${TokenLevel}`;

/** The monitor has nothing to write for a person. */
export const readOnlyAreas: readonly TokenArea[] = ['stats'];

export const tokenScopes: readonly TokenScope[] = tokenAreas.flatMap((area) =>
  tokenLevels
    .filter((level) => level === 'read' || !readOnlyAreas.includes(area))
    .map((level): TokenScope => `${area}:${level}`),
);

/** Every token begins so, for people and for programs that search texts for secrets. */
export const tokenPrefix = 'homeport_';
/** After the prefix: 32 random bytes in base64url. */
export const tokenCharacters = 43;

export const tokenDays = { least: 1, most: 365, usual: 90 } as const;
/** The last use of a token is known to this. */
export const tokenUseNotedEveryMs = 60_000;

/** Whether these scopes include what a route needs. */
export function grants(scopes: readonly string[], needed: TokenScope): boolean {
  return scopes.includes(needed) || scopes.includes(needed.replace(/:read$/, ':write'));
}
