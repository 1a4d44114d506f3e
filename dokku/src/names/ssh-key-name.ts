import { z } from 'zod';

/**
 * Dokku does not check the name. It writes the name unescaped into a shell line of authorized_keys and into a sed pattern, so
 * quotes, `/` and `$` would be code. A leading `-` would be read as an option. The users of the acl plugin are these names too.
 */
export const sshKeyNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/, 'Use letters, digits, dot, hyphen and underscore, at most 64.')
  .brand<'SshKeyName'>();

export type SshKeyName = z.output<typeof sshKeyNameSchema>;

/** @throws ZodError */
export function sshKeyName(name: string): SshKeyName {
  return sshKeyNameSchema.parse(name);
}
