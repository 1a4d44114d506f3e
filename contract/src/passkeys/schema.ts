import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { epochMsSchema, idSchema, nameSchema } from '../fields/schema.ts';
import type { RouteTable } from '../route.ts';
import { credentialIdCharacters, passkeyPartCharacters } from './facts.ts';

const base64Url = (most: number) => boundedText(most).regex(/^[A-Za-z0-9_-]+$/, 'This is no base64url.');
const part = base64Url(passkeyPartCharacters);
const credentialId = base64Url(credentialIdCharacters);

/** A device's answer to a challenge at sign-in: the JSON form of WebAuthn Level 3, 5.1. */
export const assertionSchema = z.strictObject({
  id: credentialId,
  clientDataJSON: part,
  authenticatorData: part,
  signature: part,
});

/** A device's answer when a passkey is made. */
export const attestationSchema = z.strictObject({
  id: credentialId,
  clientDataJSON: part,
  attestationObject: part,
});

/** What the browser hands to the device at sign-in. */
export const requestOptionsSchema = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeoutMs: z.number(),
});

/** What the browser hands to the device that makes a passkey. */
export const creationOptionsSchema = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeoutMs: z.number(),
  /** Random bytes as base64url: devices show the name, and may store this. */
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  /** COSE identifiers of the signature algorithms that the console checks. */
  algorithms: z.array(z.number()),
  /** Passkeys of the person. A device with one of them makes no second one. */
  present: z.array(z.string()),
});
export type CreationOptions = z.output<typeof creationOptionsSchema>;

export const passkeySchema = z
  .object({
    id: idSchema,
    name: z.string(),
    /** The device keeps copies, so a lost device is no lost passkey. */
    backedUp: z.boolean(),
    createdAt: epochMsSchema,
    lastUsedAt: epochMsSchema.nullable(),
  })
  .meta({ id: 'Passkey' });
export type Passkey = z.output<typeof passkeySchema>;

const byId = z.object({ id: idSchema });

export const passkeyRoutes = {
  'GET /api/passkeys': {
    access: 'signed-in',
    summary: 'The person’s passkeys, the newest first',
    reply: z.array(passkeySchema),
  },
  'POST /api/passkeys/begin': {
    access: 'signed-in',
    confirm: true,
    summary: 'Begin to add a passkey: what the device has to sign',
    reply: creationOptionsSchema,
  },
  'POST /api/passkeys': {
    access: 'signed-in',
    summary: 'Add the passkey that a device made',
    body: z.strictObject({ name: nameSchema, made: attestationSchema }),
    reply: passkeySchema,
    status: 201,
  },
  'PATCH /api/passkeys/:id': {
    access: 'signed-in',
    summary: 'Rename a passkey',
    params: byId,
    body: z.strictObject({ name: nameSchema }),
    reply: passkeySchema,
  },
  'DELETE /api/passkeys/:id': {
    access: 'signed-in',
    summary: 'Remove a passkey: nobody signs in with it again',
    params: byId,
    reply: z.object({ removed: z.literal(true) }),
  },
} as const satisfies RouteTable;
