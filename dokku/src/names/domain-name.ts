import { z } from 'zod';

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * A host name (RFC 1123, 2.1), lower-cased, with at least two labels. A leading `*.` is a wildcard. Dokku itself accepts
 * `a..b` and `-x.com`, and keeps capital letters, which no browser sends.
 */
export const domainNameSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'A domain has at most 253 characters.')
  .refine(isDomain, 'Enter a domain such as app.example.com.')
  .brand<'DomainName'>();

export type DomainName = z.output<typeof domainNameSchema>;

/** @throws ZodError */
export function domainName(name: string): DomainName {
  return domainNameSchema.parse(name);
}

function isDomain(text: string): boolean {
  const labels = text.replace(/^\*\./, '').split('.');
  return labels.length >= 2 && labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '');
}
