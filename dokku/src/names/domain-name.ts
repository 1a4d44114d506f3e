import { isExistingDomain, isNewDomain } from '@homeport/contract/fields/domain-name';
import { z } from 'zod';

/** A domain that the console gives to an app or a server. */
export const newDomainSchema = z
  .string()
  .refine(isNewDomain, 'Enter a domain such as app.example.com.')
  .brand<'DomainName'>();

/** A domain that a server already has. Dokku takes names that no person may give here. */
export const domainNameSchema = z
  .string()
  .refine(isExistingDomain, 'This is not a domain that Dokku gives to an app.')
  .brand<'DomainName'>();

export type DomainName = z.output<typeof domainNameSchema>;

/** @throws ZodError for a domain that people may not give. */
export function domainName(name: string): DomainName {
  return newDomainSchema.parse(name);
}

/** @throws ZodError for a domain that no server can have. */
export function existingDomain(name: string): DomainName {
  return domainNameSchema.parse(name);
}
