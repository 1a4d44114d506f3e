/** The Dokku that the console installs and recommends, and the oldest that it works with. */
export const recommendedDokku = '0.38.27';
export const oldestDokku = '0.37.0';

/** The warning for a version below the oldest. Dokku 0.37.0 is the first that takes variables over stdin. */
export const tooOldDokku = (version: string): string =>
  `Dokku ${version} is older than ${oldestDokku}, the oldest version that Homeport works with. An older Dokku shows an app’s variables to every account of the server, so variables cannot be set here until Dokku is upgraded.`;

/**
 * Whether `version` is at least `floor`, both as `0.38.27`. Compares number by number, because as text 0.38.3
 * would be newer.
 */
export function isDokkuAtLeast(version: string, floor: string): boolean {
  const numbers = version.split('.').map(Number);
  for (const [place, wanted] of floor.split('.').map(Number).entries()) {
    const given = numbers[place] ?? 0;
    if (given !== wanted) return given > wanted;
  }
  return true;
}

export type DokkuFault = {
  readonly kind: 'security' | 'data-loss';
  /** The first version that has the fault; null: each version from 0.35.0 on has it. */
  readonly since: string | null;
  readonly fixedIn: string;
  /** A sentence: who can do what, or what is lost when. */
  readonly text: string;
  /** The pull request that mended the fault, in which its author says what was wrong. */
  readonly source: `https://github.com/dokku/dokku/pull/${number}`;
  readonly cve?: `CVE-${number}-${number}`;
};

const pull = <N extends number>(number: N) => `https://github.com/dokku/dokku/pull/${number}` as const;

/**
 * The known faults of published versions from 0.35 on: the entries under Security, and the fixes of a loss of
 * data, in https://github.com/dokku/dokku/blob/v0.38.27/HISTORY.md. A fault counts from 0.35.0 on if the
 * source of 0.35.0 has it. The newest fix comes first.
 */
export const dokkuFaults: readonly DokkuFault[] = [
  {
    kind: 'data-loss',
    since: '0.38.26',
    fixedIn: '0.38.27',
    text: 'The upgrade to this version could write an old copy of an app’s variables over the ones set since, and bring back secrets that had been removed.',
    source: pull(8930),
  },
  {
    kind: 'security',
    since: null,
    fixedIn: '0.38.25',
    text: 'Anyone who may set Docker options, or run a command with -e or --ttl-seconds, can run any command on the server as the user dokku.',
    source: pull(8848),
  },
  {
    kind: 'data-loss',
    since: null,
    fixedIn: '0.38.16',
    text: 'Adding a node to a k3s cluster empties the known host keys of the user dokku.',
    source: pull(8724),
  },
  {
    kind: 'security',
    since: null,
    fixedIn: '0.38.7',
    text: 'A scheduled command in an app’s app.json is read by a shell on the server, so anyone who pushes an app can run any command there as the user dokku.',
    source: pull(8672),
  },
  {
    kind: 'data-loss',
    since: null,
    fixedIn: '0.38.5',
    text: 'A new certificate overwrites a port mapping for https:443 that was set by hand.',
    source: pull(8627),
  },
  {
    kind: 'security',
    since: null,
    fixedIn: '0.38.2',
    text: 'Anyone who may push can run any command on the server as the user dokku, through the name of the app.',
    source: pull(8590),
    cve: 'CVE-2026-45408',
  },
  {
    kind: 'security',
    since: null,
    fixedIn: '0.38.2',
    text: 'An archive given to git:from-archive or certs:add can write files anywhere the user dokku can.',
    source: pull(8591),
  },
  {
    kind: 'security',
    since: null,
    fixedIn: '0.38.2',
    text: 'The file names of OpenResty includes in an app’s image can run any command on the server during its deploy.',
    source: pull(8588),
  },
  {
    kind: 'security',
    since: null,
    fixedIn: '0.38.2',
    text: 'Passwords stored by git:auth can be read by every user of the server.',
    source: pull(8589),
  },
  {
    kind: 'data-loss',
    since: null,
    fixedIn: '0.38.0',
    text: 'Renaming an app loses its domains where the server has no global domain, and some where it has several.',
    source: pull(8508),
  },
  {
    kind: 'data-loss',
    since: null,
    fixedIn: '0.37.0',
    text: 'An upgrade of Dokku drops port mappings that were set by hand.',
    source: pull(8136),
  },
  {
    kind: 'data-loss',
    since: null,
    fixedIn: '0.35.17',
    text: 'repo:gc deletes the branches of an app’s repository on the server.',
    source: pull(7575),
  },
];

/** The known faults of a version such as `0.37.2`, security faults first. */
export function faultsOfDokku(version: string): DokkuFault[] {
  const has = ({ since, fixedIn }: DokkuFault) =>
    !isDokkuAtLeast(version, fixedIn) && (since === null || isDokkuAtLeast(version, since));
  const found = dokkuFaults.filter(has);
  const of = (kind: DokkuFault['kind']) => found.filter((fault) => fault.kind === kind);
  return [...of('security'), ...of('data-loss')];
}
