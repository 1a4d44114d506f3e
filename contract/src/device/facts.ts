import type { TokenScope } from '../tokens/facts.ts';

/** The letters of a code that a person types. No vowels, so that no code is a word, and none that look like another. */
export const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ';
export const userCodeLength = 8;

/** A terminal asks again after this time; after `slow_down` five seconds later each time (RFC 8628, 3.5). */
export const devicePollSeconds = 5;
/** More would not fit into the codes' time. */
export const devicePollMostSeconds = 60;
export const deviceLifeSeconds = 600;

/** Codes that wait at once: asked for from one network (`visitorNetwork`), and altogether. Whoever fills the table keeps nobody else out. */
export const deviceCodesPerNetwork = 5;
export const deviceCodesTogether = 500;

/** Codes that one person types in a minute, right or wrong. */
export const deviceTypedPerMinute = 5;

/** The name is mailed to its person, and programs that show mails make links of addresses: `https://…`, `www.…`, `name@host`. */
export const withoutAddress = (name: string): string => name.replaceAll(/[/:@\\]|www\./gi, '-');

/** A token of a terminal ends after this time at the latest. */
export const terminalDays = 90;

/**
 * What a terminal may do: it reads every area but public keys, proposes changes of apps to its person, and opens connections for which the
 * person's SSH agent signs.
 */
export const terminalScopes: readonly TokenScope[] = [
  // The scopes to read stand beside those that include them, for a console that is set back to an older version.
  'servers:read',
  'servers:connect',
  'apps:read',
  'apps:propose',
  'databases:read',
  'proxies:read',
  'zones:read',
  'operations:read',
  'stats:read',
];

/** A typed code as the console knows it: people add spaces, dashes and small letters. */
export const asUserCode = (typed: string): string =>
  [...typed]
    .filter((letter) => letter.trim() !== '' && letter !== '-')
    .join('')
    .toUpperCase();

/** Whether this is a code, without the dash. */
export const isUserCode = (code: string): boolean =>
  code.length === userCodeLength && [...code].every((letter) => userCodeLetters.includes(letter));

/** `BDWPHQPK` as a terminal shows it: `BDWP-HQPK` */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;
