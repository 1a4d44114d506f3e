/** What a public status page says of one of its parts. `unknown`: nothing was found out in the last minutes. */
export const componentStates = ['up', 'slow', 'down', 'maintenance', 'unknown'] as const;
export type ComponentState = (typeof componentStates)[number];

/** How readers see each state. */
export const componentStateTexts: Record<ComponentState, string> = {
  up: 'Up',
  slow: 'Degraded',
  down: 'Down',
  maintenance: 'Maintenance',
  unknown: 'Unknown',
};

export const postKinds = ['incident', 'maintenance'] as const;
export type PostKind = (typeof postKinds)[number];

export const incidentStates = ['investigating', 'identified', 'watching', 'resolved'] as const;
export type IncidentState = (typeof incidentStates)[number];

/** Times are in milliseconds. */
export const statusPageRules = {
  /** A check that is older says nothing of now. */
  freshMs: 5 * 60_000,
  /** A page is rendered again after this, although nothing changed: its bars go on. */
  renderEveryMs: 5 * 60_000,
  /** Slow: the middle of the last checks took so many times as long as the average of the last week, and longer than `slowMs`. */
  slowTimes: 3,
  slowMs: 1_000,
  slowChecks: 5,
  bars: 90,
  /** An address at which a page was belongs to nobody else for so long. The trigger of migration 0096 forgets it then. */
  freedDays: 90,
} as const;

export const statusPageLimits = {
  /** Of one account. */
  pages: 5,
  slugCharacters: { least: 3, most: 40 },
  titleCharacters: 80,
  /** Of one page; so many groups it has at most. */
  components: 50,
  /** Incidents and maintenances of one page. */
  posts: 100,
  /** Of all posts of one page together. */
  updates: 200,
  textCharacters: 2_400,
  maintenanceDays: 30,
  /** How far ahead a maintenance may begin. */
  aheadDays: 365,
  /** Posts that a page and its feed show, the newest first. */
  shownPosts: 20,
  /** Of a page as visitors get it. Older posts that do not fit are not shown. */
  renderBytes: 256 * 1024,
  /** What a process keeps of all pages in memory, with their compressed copies. */
  memoryBytes: 64 * 1024 * 1024,
  /** Of these for the pages of one account. */
  memoryBytesOfAccount: 4 * 1024 * 1024,
  /** Pages that a process reads from the store at once, because its memory does not hold them. */
  readsAtOnce: 4,
  /** Addresses without a page that an account keeps from others, the newest. The trigger of migration 0096 holds this. */
  freedAddresses: 20,
  /** Of the operator's reason for taking a page down. */
  reasonCharacters: 200,
  /** Pages of all people that the operator sees in one list. */
  listedForOperator: 100,
} as const;

/** Words of a slug that could be taken for the console's own. */
const reservedWords: ReadonlySet<string> = new Set([
  ...(['admin', 'api', 'assets', 'console', 'dashboard', 'feed', 'help'] as const),
  ...(['homeport', 'login', 'logout', 'monitor', 'new', 'official', 'profile', 'root'] as const),
  ...(['security', 'server', 'servers', 'settings', 'signup', 'status', 'style', 'support'] as const),
  ...([
    'system',
    'www',
    'account',
    'accounts',
    'auth',
    'billing',
    'pay',
    'payment',
    'password',
    'sign',
    'signin',
    'verify',
  ] as const),
]);

/** A word that is reserved is so between hyphens, too: `homeport-login`. */
export const isReserved = (slug: string): boolean =>
  slug === 'status-pages' || slug.split('-').some((word) => reservedWords.has(word));

export const isSlug = (text: string): boolean => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text);
