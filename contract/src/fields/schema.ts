import { z } from 'zod';
import { boundedText, trimmedText } from './bounded-text.ts';
import { asciiName, isNewDomain } from './domain-name.ts';
import {
  descriptionCharacters,
  emailCharacters,
  hostnameCharacters,
  locationCharacters,
  mostInteger,
  nameCharacters,
} from './facts.ts';
import { hidesSomething } from './shown-text.ts';
import { addressCharacters, serverAddress } from './typed-address.ts';

/**
 * Fields that more than one record has. A bound comes before every check that reads the text, and each number
 * fits its column.
 */

/** The last moment that a Date can hold. */
const lastMoment = 8_640_000_000_000_000;

/**
 * Text that the store takes as it is: PostgreSQL has no NUL, and half of a surrogate pair cannot be sent as
 * text. Every string from outside has this schema, or a narrower pattern.
 */
export function storableText(most: number, tooLong = `Use at most ${most} characters.`) {
  return boundedText(most, tooLong).regex(
    /^[^\0\p{Cs}]*$/u,
    'This cannot hold a NUL byte or half of a surrogate pair.',
  );
}

/** Text of one line that other people read. `what` begins the sentence that refuses it: `A name`. */
export function shownText(most: number, what: string) {
  return trimmedText(most, `Use at most ${most} characters.`).refine((text) => !hidesSomething(text), {
    error: `${what} cannot hold line breaks, control characters or invisible characters.`,
    abort: true,
  });
}

export const idSchema = z.uuid();
export const epochMsSchema = z.number().int().nonnegative().max(lastMoment);
export const versionSchema = z.number().int().positive().max(mostInteger);

export const nameSchema = shownText(nameCharacters, 'A name').min(1, 'Enter a name.');

export const descriptionSchema = shownText(descriptionCharacters, 'A description');

export const locationSchema = shownText(locationCharacters, 'A location');

export const portSchema = z
  .number()
  .int()
  .min(1, 'A port is between 1 and 65535.')
  .max(65_535, 'A port is between 1 and 65535.');

const wrongUsername = 'A user name has lower-case letters, digits, - and _, at most 32.';

/**
 * POSIX account names as Debian’s adduser takes them. The first character keeps a name from being read as an
 * option.
 */
export const usernameSchema = trimmedText(32, wrongUsername).regex(/^[a-z_][a-z0-9_-]{0,31}$/, wrongUsername);

export const ipv4Schema = z.ipv4('Enter an IPv4 address such as 203.0.113.24.');

const wrongAddress = 'Enter an IPv4 address such as 203.0.113.24, an IPv6 address or a host name.';

/** The address of a server, in the one spelling in which it is kept and compared. */
export const addressSchema = trimmedText(addressCharacters, wrongAddress)
  .overwrite((typed) => serverAddress(typed) ?? typed)
  .refine((address) => serverAddress(address) === address, wrongAddress);

/** A domain that a person gives to something; in the form in which it is compared. */
export const hostnameSchema = trimmedText(
  hostnameCharacters,
  `A domain has at most ${hostnameCharacters} characters.`,
)
  .overwrite((typed) => asciiName(typed) ?? typed)
  .refine(isNewDomain, 'Enter a domain such as app.example.com.');

export const emailSchema = boundedText(
  emailCharacters,
  `An e-mail address has at most ${emailCharacters} characters.`,
).check(z.email('Enter an e-mail address.'));
