import { z } from 'zod';
import { trimmedText } from '../fields/bounded-text.ts';
import { epochMsSchema, nameSchema } from '../fields/schema.ts';
import { messages } from '../messages.ts';
import type { RouteTable } from '../route.ts';

/** One line `ssh-<type> AAAA…` or `ecdsa-sha2-<curve> AAAA…`. Its comment is ignored. */
export const publicKeySchema = trimmedText(16_384, messages.invalidKey).regex(
  /^(ssh-(ed25519|rsa)|ecdsa-sha2-nistp(256|384|521)) AAAA[A-Za-z0-9+/]+={0,3}( [^\r\n]*)?$/,
  messages.invalidKey,
);

/** The id of a key: its MD5 fingerprint without colons, 32 hexadecimal digits. */
export const keyIdSchema = z.string().regex(/^[0-9a-f]{32}$/);

export const keySchema = z
  .object({
    id: keyIdSchema,
    name: z.string(),
    /** OpenSSH public line without a comment. */
    publicKey: z.string(),
    fingerprint: z.string(),
    algorithm: z.string(),
    addedAt: epochMsSchema,
    /** The servers that use this key as their credential. */
    usedBy: z.array(z.object({ id: z.uuid(), key: z.string(), name: z.string() })),
  })
  .meta({ id: 'Key' });
export type Key = z.output<typeof keySchema>;

export const addKeySchema = z.strictObject({ name: nameSchema, publicKey: publicKeySchema });

export const renameKeySchema = z.strictObject({ name: nameSchema });

export const credentialRoutes = {
  'GET /api/keys': { access: 'signed-in', summary: 'List the stored public keys', reply: z.array(keySchema) },
  'POST /api/keys': {
    access: 'signed-in',
    summary: 'Add a public key; the private part stays in the browser',
    body: addKeySchema,
    reply: keySchema,
    status: 201,
  },
  'PATCH /api/keys/:id': {
    access: 'signed-in',
    summary: 'Rename a public key',
    params: z.object({ id: keyIdSchema }),
    body: renameKeySchema,
    reply: keySchema,
  },
  'DELETE /api/keys/:id': {
    access: 'signed-in',
    summary: 'Remove a public key',
    params: z.object({ id: keyIdSchema }),
    reply: z.object({ removed: z.literal(true) }),
  },
} as const satisfies RouteTable;
