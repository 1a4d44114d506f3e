import { z } from 'zod';
import { emailSchema, epochMsSchema, idSchema, storableText } from '../fields/schema.ts';
import { confirmedMinutes, passwordCharacters } from '../identity/facts.ts';
import { emailChangeSchema } from '../identity/schema.ts';
import { assertionSchema, requestOptionsSchema } from '../passkeys/schema.ts';
import type { RouteTable } from '../route.ts';
import { avatarBytes, securityEventKinds } from './facts.ts';

/** A password that somebody sets. */
export const newPasswordSchema = storableText(passwordCharacters.most).min(
  passwordCharacters.least,
  `Use at least ${passwordCharacters.least} characters.`,
);

/** A password that somebody proves to know. */
export const knownPasswordSchema = storableText(passwordCharacters.most).min(1, 'Enter your password.');

/** One sign-in of the person. */
export const signInSchema = z
  .object({
    id: idSchema,
    /** The sign-in that asks. */
    current: z.boolean(),
    /** The browser and its system in words: "Firefox on Linux". */
    device: z.string(),
    /** The address at the sign-in; null if none is known. */
    address: z.string().nullable(),
    /** Where the address is, in words. */
    place: z.string(),
    signedInAt: epochMsSchema,
    /** Known to about a day: a session in use is prolonged once a day. */
    lastUsedAt: epochMsSchema,
    expiresAt: epochMsSchema,
  })
  .meta({ id: 'SignIn' });
export type SignIn = z.output<typeof signInSchema>;

export const securityEventSchema = z
  .object({
    id: idSchema,
    kind: z.enum(securityEventKinds),
    /** The name of the key, token, server or account that the event is about; null if there is none. */
    subject: z.string().nullable(),
    /** How often it happened: failed sign-ins within an hour are one event. */
    count: z.number(),
    device: z.string(),
    address: z.string().nullable(),
    place: z.string(),
    at: epochMsSchema,
  })
  .meta({ id: 'SecurityEvent' });
export type SecurityEvent = z.output<typeof securityEventSchema>;

/** Base64: three bytes take four characters. */
const avatarCharacters = Math.ceil(avatarBytes / 3) * 4;
const pictureTooLong = `Choose a picture of at most ${avatarBytes / 1024} KB.`;

/** The address of the person's picture on the console, with its version; null: no picture. */
export const avatarSchema = z.object({ avatar: z.string().nullable() });

const byId = z.object({ id: idSchema });

export const accountRoutes = {
  'POST /api/session/confirm/begin': {
    access: 'signed-in',
    summary:
      'How the person can confirm an act that makes a lasting way in; a passkey gets something to sign',
    reply: z.object({
      password: z.boolean(),
      /** Null without a passkey. */
      passkey: requestOptionsSchema.nullable(),
      /** The person signs in with GitHub. Signing in again confirms too. */
      github: z.boolean(),
    }),
  },
  'POST /api/session/confirm': {
    access: 'signed-in',
    summary: `Prove who you are again: for ${confirmedMinutes} minutes this session may make lasting ways in`,
    body: z.discriminatedUnion('by', [
      z.strictObject({ by: z.literal('password'), password: knownPasswordSchema }),
      z.strictObject({ by: z.literal('passkey'), used: assertionSchema }),
    ]),
    reply: z.object({ until: epochMsSchema }),
  },
  'PUT /api/profile/password': {
    access: 'signed-in',
    summary: 'Change the password; ends every other sign-in of the person',
    body: z.strictObject({
      currentPassword: knownPasswordSchema,
      newPassword: newPasswordSchema,
      /** Ends API tokens, passkeys, the link to GitHub and destinations of news too. */
      endOtherWays: z.boolean().default(false),
    }),
    reply: z.object({ endedSessions: z.number() }),
  },
  'PUT /api/profile/email-change': {
    access: 'signed-in',
    summary: 'Begin to change the e-mail address: the present one is mailed a link, then the new one',
    body: z.strictObject({ email: emailSchema, password: knownPasswordSchema }),
    reply: emailChangeSchema,
  },
  'DELETE /api/profile/email-change': {
    access: 'signed-in',
    summary: 'End a change of the e-mail address that is not over',
    reply: z.object({ cancelled: z.literal(true) }),
  },
  'GET /api/profile/avatar': {
    access: 'signed-in',
    summary: 'The person’s picture',
    /** As the session names it. A browser may keep the picture under the address with its present version. */
    query: z.object({ version: storableText(100).optional() }),
    reply: z.never(),
    kind: 'download',
  },
  'PUT /api/profile/avatar': {
    access: 'signed-in',
    summary: 'Keep a picture of the person: PNG, JPEG or WebP',
    body: z.strictObject({
      /** Base64 of the file. */
      picture: storableText(avatarCharacters, pictureTooLong).min(1, 'Choose a picture.'),
    }),
    atMostBytes: avatarCharacters + 1_024,
    reply: avatarSchema,
  },
  'POST /api/profile/avatar/from-github': {
    access: 'signed-in',
    summary: 'Fetch the picture of the linked GitHub account once, and keep it',
    reply: avatarSchema,
  },
  'DELETE /api/profile/avatar': {
    access: 'signed-in',
    summary: 'Remove the person’s picture',
    reply: avatarSchema,
  },
  'GET /api/profile/export': {
    access: 'signed-in',
    summary: 'Everything that the console keeps for the person, as one JSON file without secrets',
    reply: z.never(),
    kind: 'download',
  },
  'POST /api/profile/delete': {
    access: 'signed-in',
    summary: 'Delete the account with all its records; nothing changes on its servers',
    body: z.strictObject({
      confirmation: z.literal('delete', 'Type delete.'),
      /** Null only for an account without a password. */
      password: knownPasswordSchema.nullable(),
    }),
    reply: z.object({ deleted: z.literal(true) }),
  },
  'GET /api/sessions': {
    access: 'signed-in',
    summary: 'The sign-ins of the person, the one in use last first',
    reply: z.array(signInSchema),
  },
  'POST /api/sessions/:id/end': {
    access: 'signed-in',
    summary: 'End one sign-in; its connections close',
    params: byId,
    reply: z.object({ ended: z.literal(true) }),
  },
  'POST /api/sessions/end-others': {
    access: 'signed-in',
    summary: 'End every sign-in except the one that asks',
    reply: z.object({ ended: z.number() }),
  },
  'GET /api/security-events': {
    access: 'signed-in',
    summary: 'The newest security events of the account, newest first',
    reply: z.array(securityEventSchema),
  },
} as const satisfies RouteTable;
