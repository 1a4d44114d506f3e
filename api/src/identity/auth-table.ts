import { emailSchema, idSchema, nameSchema, storableText } from '@homeport/contract/fields/schema';
import { consentSchema } from '@homeport/contract/github/schema';
import { passwordCharacters } from '@homeport/contract/identity/facts';
import type { RouteTable } from '@homeport/contract/route';
import { z } from 'zod';

const passwordSchema = storableText(passwordCharacters.most).min(
  passwordCharacters.least,
  `Use at least ${passwordCharacters.least} characters.`,
);
const tokenSchema = storableText(2_000).min(1);
const doneSchema = z.object({ status: z.literal(true) });
const signedInSchema = z.object({
  user: z.object({ id: idSchema, name: z.string(), email: z.string(), emailVerified: z.boolean() }),
});

/**
 * The routes of identity: the open routes of better-auth, with their input and output. The session is in the
 * cookie.
 */
export const authTable = {
  'POST /api/auth/sign-up/email': {
    access: 'anyone',
    summary: 'Make an account and sign in',
    body: z.object({
      name: nameSchema,
      email: emailSchema,
      password: passwordSchema,
      /** The token of an invitation's link, if this console takes new accounts by invitation. */
      invitation: tokenSchema.optional(),
    }),
    reply: signedInSchema,
  },
  'POST /api/auth/sign-in/email': {
    access: 'anyone',
    summary: 'Sign in',
    body: z.object({
      email: emailSchema,
      password: storableText(passwordCharacters.most).min(1, 'Enter your password.'),
      rememberMe: z.boolean().default(true),
    }),
    reply: signedInSchema,
  },
  'POST /api/auth/sign-in/github/begin': {
    access: 'anyone',
    summary: 'Begin to sign in with GitHub: the address at GitHub where the person agrees',
    reply: z.object({ url: z.string() }),
  },
  'POST /api/auth/sign-in/github': {
    access: 'anyone',
    summary: 'Sign in, or make an account, as the person of GitHub who agreed',
    body: consentSchema.extend({
      /** As for a sign-up with an e-mail address. */
      invitation: tokenSchema.optional(),
    }),
    reply: signedInSchema,
  },
  'POST /api/auth/sign-out': {
    access: 'anyone',
    summary: 'Sign out; connections of this session close',
    reply: z.object({ success: z.literal(true) }),
  },
  'POST /api/auth/send-verification-email': {
    access: 'anyone',
    summary: 'Send the verification message again',
    body: z.object({ email: emailSchema }),
    reply: doneSchema,
  },
  'POST /api/auth/verify-email': {
    access: 'anyone',
    summary: 'Verify an e-mail address with the token of the message',
    body: z.object({ token: tokenSchema }),
    reply: doneSchema,
  },
  'POST /api/auth/request-password-reset': {
    access: 'anyone',
    summary: 'Send a message with which a new password can be set; answers the same for unknown addresses',
    body: z.object({ email: emailSchema }),
    reply: doneSchema,
  },
  'POST /api/auth/reset-password': {
    access: 'anyone',
    summary: 'Set a new password with the token of the message; ends every session',
    body: z.object({ newPassword: passwordSchema, token: tokenSchema }),
    reply: doneSchema,
  },
} as const satisfies RouteTable;

export type AuthKey = keyof typeof authTable;
