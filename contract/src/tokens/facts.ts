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

/** Each of the others includes `read`, and none of them another. `connect`: to open connections to servers. */
export const tokenLevels = ['read', 'propose', 'connect', 'write'] as const;
export type TokenLevel = (typeof tokenLevels)[number];
export type TokenScope = `${TokenArea}:${TokenLevel}`;

/** The monitor has nothing to write for a person. */
export const readOnlyAreas: readonly TokenArea[] = ['stats'];

/** The areas of the routes that a program may propose to its person (`proposableRoutes`). */
export const proposableAreas: readonly TokenArea[] = ['apps'];

export const tokenScopes: readonly TokenScope[] = tokenAreas.flatMap((area) =>
  tokenLevels.filter((level) => hasLevel(area, level)).map((level): TokenScope => `${area}:${level}`),
);

/** Whether there is such a scope. */
export function hasLevel(area: TokenArea, level: TokenLevel): boolean {
  if (level === 'propose') return proposableAreas.includes(area);
  if (level === 'connect') return area === 'servers';
  return level === 'read' || !readOnlyAreas.includes(area);
}

/** Who uses a token. A kind never becomes another. */
export const tokenKinds = ['program', 'terminal', 'agent'] as const;
export type TokenKind = (typeof tokenKinds)[number];

const dayMs = 24 * 60 * 60_000;

/** What a token of each kind may do, and how it comes about. This table decides; nothing else asks for the kind. */
export const rulesOfKind: Record<
  TokenKind,
  {
    /** How a person makes one: in the form of the profile page, or by `homeport login`. */
    madeBy: 'form' | 'login';
    /** What it may do at most, whatever its scopes say. */
    levels: readonly TokenLevel[];
    /** It ends after this time without use. null: use does not matter. */
    idleMs: number | null;
    /** It may call the tools of `POST /mcp`. */
    tools: boolean;
  }
> = {
  program: { madeBy: 'form', levels: ['read', 'write'], idleMs: null, tools: true },
  // A terminal's token is its person's own, and the person's SSH agent signs there. A coding agent beside the person gets one of its own.
  terminal: { madeBy: 'login', levels: ['read', 'propose', 'connect'], idleMs: 30 * dayMs, tools: false },
  // An agent may follow instructions in text that strangers wrote, such as a log. So it reads, and a person decides about the rest.
  agent: { madeBy: 'form', levels: ['read', 'propose'], idleMs: null, tools: true },
};

/** The kinds that the form of the profile page makes. */
export const kindsOfForm = tokenKinds.filter((kind) => rulesOfKind[kind].madeBy === 'form');

/** What is left of a token's scopes for its kind: a scope of a level that the kind does not have becomes the one to read. */
export function scopesForKind(kind: TokenKind, scopes: readonly string[]): string[] {
  const beyond = tokenLevels.filter((level) => !rulesOfKind[kind].levels.includes(level));
  return scopes.map((scope) => {
    const [area, level] = scope.split(':');
    return beyond.some((each) => each === level) ? `${area}:read` : scope;
  });
}

/** Every token begins so, for people and for programs that search texts for secrets. */
export const tokenPrefix = 'homeport_';
/** After the prefix: 32 random bytes in base64url. */
export const tokenCharacters = 43;

export const tokenDays = { least: 1, most: 365, usual: 90 } as const;
/** The last use of a token is known to this. */
export const tokenUseNotedEveryMs = 60_000;

/** Whether these scopes include what a route needs. */
export function grants(scopes: readonly string[], needed: TokenScope): boolean {
  if (scopes.includes(needed)) return true;
  return (
    needed.endsWith(':read') &&
    ['propose', 'connect', 'write'].some((level) => scopes.includes(needed.replace(/read$/, level)))
  );
}
