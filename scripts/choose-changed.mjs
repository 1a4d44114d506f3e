// Which tests a change of one feature needs at once, and which can wait for `npm test`.

/**
 * The browser tests of each feature: of a folder of that name in api, web or contract. `apps/cron` is a part of a feature, of every folder
 * `cron` within `apps`: a change within it alone needs the tests of that part, and those that reach it by imports.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const specsOfFeatures = {
  account: ['profile', 'invitations'],
  apps: [
    'main-job',
    'processes',
    'commands',
    'schedules',
    'app-logs',
    'imported-apps',
    'first-reads',
    'starts-of-dokku',
  ],
  'apps/checks': ['processes'],
  'apps/commits': ['github'],
  'apps/continuous': ['github'],
  'apps/cron': ['schedules'],
  'apps/deploy-key': ['github'],
  'apps/logs': ['app-logs'],
  'apps/one-off': ['commands'],
  'apps/processes': ['processes'],
  'apps/push-keys': ['push-keys'],
  'apps/readme': ['app-logs'],
  'apps/site': ['app-site'],
  auth: ['identity', 'invitations', 'passkeys'],
  backups: ['backups', 'proven-backups'],
  charts: ['charts'],
  cloudflare: ['domains', 'record-offers'],
  connections: ['connections'],
  console: ['console'],
  credentials: ['credentials'],
  data: ['many-tabs', 'interrupted'],
  databases: ['databases', 'many-databases', 'backups', 'proven-backups'],
  'databases/backups': ['backups', 'proven-backups'],
  'databases/dumps': ['backups', 'proven-backups'],
  'databases/schedule': ['backups', 'proven-backups'],
  'databases/schedules': ['backups', 'proven-backups'],
  destinations: ['destinations', 'this-browser'],
  device: ['device'],
  domains: ['domains', 'record-offers'],
  github: ['github'],
  home: ['pages'],
  identity: ['identity'],
  keys: ['keys-in-browser', 'credentials'],
  live: ['many-tabs', 'interrupted'],
  logs: ['app-logs'],
  notifications: ['notifications', 'destinations', 'news'],
  operations: ['interrupted'],
  passkeys: ['passkeys'],
  profile: ['profile'],
  proposals: ['proposals'],
  proxies: ['proxies', 'proxy-front', 'proxy-pages', 'merged-sites'],
  rules: ['proxies', 'merged-sites'],
  servers: ['host', 'read-only', 'server-moves', 'server-names', 'server-removal'],
  shell: ['shell'],
  signer: ['connections', 'keys-in-browser', 'credentials'],
  'status-pages': ['status-pages'],
  terminals: ['terminals'],
  ui: ['pages', 'heights', 'own-look', 'reading-order'],
  // No folder has this name: only `npm test` runs these, and whoever changes them.
  'whole program': [
    ...[
      'firefox-and-webkit',
      'guards',
      'hostile-neighbour',
      'readme',
      'restored-console',
      'two-browsers',
      'unsaved',
    ],
  ],
};

/**
 * A file that brings all features of its room together. Everything behind it reaches every feature, so a change of one feature stops
 * here.
 */
const bringsTogether =
  /^(?:[a-z-]+\/src\/index\.ts|api\/src\/testing\/.*|web\/src\/(?:router|frame|main)\.tsx?|contract\/src\/routes\.ts)$/;
const isUnitTest = /\.test\.tsx?$/;
const isSpec = /^e2e\/([\w-]+)\.spec\.ts$/;

/**
 * @param {readonly string[]} changed paths of changed files
 * @param {ReadonlyMap<string, readonly string[]>} importers the files that import each file
 * @param {readonly string[]} tests paths of all tests, in the browser and not
 */
export function chooseChanged(changed, importers, tests) {
  const reached = new Set(changed);
  const behind = new Set();
  for (const file of reached)
    for (const importer of importers.get(file) ?? [])
      if (bringsTogether.test(importer)) behind.add(importer);
      else reached.add(importer);
  for (const file of behind)
    for (const importer of importers.get(file) ?? []) if (!reached.has(importer)) behind.add(importer);

  const features = new Set(changed.flatMap((file) => featureOf(file) ?? []));
  const unit = tests.filter((file) => isUnitTest.test(file));
  const isChosen = (/** @type {string} */ file) =>
    reached.has(file) || isGuard(file) || features.has(featureOf(file) ?? '');
  const names = new Set([...features].flatMap((feature) => specsOfFeatures[feature] ?? []));
  const specs = tests.filter((file) => isSpec.test(file));
  const isSpecChosen = (/** @type {string} */ file) =>
    reached.has(file) || names.has(isSpec.exec(file)?.[1] ?? '');
  return {
    unit: unit.filter(isChosen),
    specs: specs.filter(isSpecChosen),
    /** Tests that reach the change, but only by a file that brings all features together, and those that pack a release. */
    leftOut: unit.filter((file) => (behind.has(file) || packsRelease(file)) && !isChosen(file)),
    specsLeftOut: specs.filter((file) => !isSpecChosen(file)),
    /** Changed files that no test imports, and that belong to no feature. */
    unknown: changed.filter(
      (file) => !features.has(featureOf(file) ?? '') && !importers.has(file) && !tests.includes(file),
    ),
  };
}

/** @param {string} file */
const packsRelease = (file) => file.startsWith('scripts/release/');
/**
 * The tests of `scripts/` look at every file, so each change needs them.
 *
 * @param {string} file
 */
const isGuard = (file) => file.startsWith('scripts/') && !packsRelease(file);

/** @param {string} file */
function featureOf(file) {
  const [first = '', ...below] = file.split('/').slice(0, -1);
  const isFeature = /^(?:rules|signer)$/.test(first);
  if (!isFeature && (!/^(?:api|web|contract)$/.test(first) || below[0] !== 'src')) return undefined;
  const [feature = '', ...parts] = isFeature ? [first] : below.slice(1);
  const part = parts.map((each) => `${feature}/${each}`).find((each) => each in specsOfFeatures);
  return part ?? (feature in specsOfFeatures ? feature : undefined);
}
