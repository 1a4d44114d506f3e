import { randomInt } from 'node:crypto';
import { type AppName, newAppNameSchema } from './app-name.ts';

export const suffixLength = 6;
const longest = 40 - suffixLength - 1;
const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * An app's name on the server: the typed name as a slug, with a random suffix so that a name can be used twice. Every typed name
 * gives a valid longname. A name without a letter or digit (emoji only) becomes `app`.
 */
export function makeLongname(name: string, suffix: string = randomSuffix()): AppName {
  return newAppNameSchema.parse(`${slugOf(name)}-${suffix}`);
}

/** Drops accents (NFKD), then all other characters. Reads only the first kilobyte, which bounds the work. */
export function slugOf(name: string): string {
  const slug = name
    .slice(0, 1024)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, longest)
    .replace(/-$/, '');
  return slug === '' ? 'app' : slug;
}

function randomSuffix(): string {
  return Array.from({ length: suffixLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}
