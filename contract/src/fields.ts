import { z } from 'zod';

/** Fields that more than one record has. Each refuses control characters: a name is shown in terminals and logs too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the purpose
const printable = /^[^\u0000-\u001f\u007f\u2028\u2029]*$/;

export const idSchema = z.uuid();
export const epochMsSchema = z.number().int().nonnegative();
export const versionSchema = z.number().int().positive();

export const nameSchema = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(80, 'Use at most 80 characters.')
  .regex(printable, 'A name has no line breaks or control characters.');

export const descriptionSchema = z
  .string()
  .trim()
  .max(500, 'Use at most 500 characters.')
  .regex(printable, 'A description has no line breaks or control characters.');

export const portSchema = z
  .number()
  .int()
  .min(1, 'A port is between 1 and 65535.')
  .max(65_535, 'A port is between 1 and 65535.');

/** POSIX account names as Debian’s adduser takes them; the first character keeps it from being read as an option. */
export const usernameSchema = z
  .string()
  .trim()
  .regex(/^[a-z_][a-z0-9_-]{0,31}$/, 'A user name has lower-case letters, digits, - and _, at most 32.');

export const ipv4Schema = z.ipv4('Enter an IPv4 address such as 203.0.113.24.');

export const hostnameSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'A domain has at most 253 characters.')
  .regex(
    /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'Enter a domain such as app.example.com.',
  );

export const emailSchema = z
  .email('Enter an e-mail address.')
  .max(254, 'An e-mail address has at most 254 characters.');
