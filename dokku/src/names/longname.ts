import { randomInt } from 'node:crypto';
import { longnameSuffixCharacters, slugOf } from '@homeport/contract/apps/default-domain';
import { type AppName, newAppNameSchema } from './app-name.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * An app's name on the server: the typed name as a slug, with a random suffix so that a name can be used twice. Every typed name
 * gives a valid longname. A name without a letter or digit (emoji only) becomes `app`.
 */
export function makeLongname(name: string, suffix: string = randomSuffix()): AppName {
  return newAppNameSchema.parse(`${slugOf(name)}-${suffix}`);
}

function randomSuffix(): string {
  return Array.from({ length: longnameSuffixCharacters }, () => alphabet[randomInt(alphabet.length)]).join(
    '',
  );
}
