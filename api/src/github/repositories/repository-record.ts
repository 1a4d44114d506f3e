import { z } from 'zod';

/** A name as GitHub takes it: it becomes part of addresses and commands. */
export const fullNameSchema = z
  .string()
  .max(140)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,38}\/[A-Za-z0-9._-]{1,100}$/);

const cut = (most: number) =>
  // The store takes neither NUL nor half of a surrogate pair.
  z.string().transform((text) => Buffer.from(text.replaceAll('\0', '').slice(0, most)).toString());

/** The part of GitHub's record that the console reads. Texts of other people are cut. */
export const repositorySchema = z.object({
  id: z.number().int().positive(),
  full_name: fullNameSchema,
  private: z.boolean(),
  language: cut(100).nullish(),
  description: cut(500).nullish(),
  html_url: z.url({ protocol: /^https?$/ }).max(500),
  default_branch: z.string().min(1).max(250),
  archived: z.boolean().nullish(),
  permissions: z.object({ push: z.boolean(), admin: z.boolean() }).nullish(),
  pushed_at: z.iso
    .datetime({ offset: true })
    .transform((text) => Date.parse(text))
    .nullish(),
});
