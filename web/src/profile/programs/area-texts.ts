import {
  type TokenArea,
  type TokenKind,
  type TokenLevel,
  tokenAreas,
  tokenLevels,
} from '@homeport/contract/tokens/facts';

export const areaTexts: Record<TokenArea, string> = {
  servers: 'Servers',
  apps: 'Apps',
  databases: 'Databases',
  proxies: 'Proxies',
  zones: 'Domains',
  keys: 'Public keys',
  operations: 'Operations',
  stats: 'Stats',
};

export const tokenKindTexts: Record<TokenKind, string> = {
  program: 'Program',
  terminal: 'Terminal',
  agent: 'Coding agent',
};

/** For whoever opens the stats alone: names seem to belong to the other areas. */
export const statsNote =
  'Stats name what is measured: your servers, apps and databases, also to Prometheus at /metrics.';

const levelTexts: Record<TokenLevel, string> = {
  read: 'read',
  propose: 'read and propose',
  connect: 'read and connect',
  write: 'read and write',
};

/** "Apps: read and write, Stats: read" */
export function scopesInWords(scopes: readonly string[]): string {
  return tokenAreas
    .flatMap((area) => {
      const level = tokenLevels.toReversed().find((each) => scopes.includes(`${area}:${each}`));
      return level ? [`${areaTexts[area]}: ${levelTexts[level]}`] : [];
    })
    .join(', ');
}
