import { knownPasswordSchema, newPasswordSchema } from '@homeport/contract/account/schema';
import { emailSchema, idSchema, nameSchema, storableText } from '@homeport/contract/fields/schema';
import { consentSchema } from '@homeport/contract/github/schema';
import { appCodeDigits, recoveryCodeCharacters } from '@homeport/contract/identity/facts';
import { assertionSchema, requestOptionsSchema } from '@homeport/contract/passkeys/schema';
import type { RouteTable } from '@homeport/contract/route';
import { z } from 'zod';

const tokenSchema = storableText(2_000).min(1);
const doneSchema = z.object({ status: z.literal(true) });
const signedInSchema = z.object({
  user: z.object({ id: idSchema, name: z.string(), email: z.string(), emailVerified: z.boolean() }),
});
/** The password or the passkey is right, or GitHub knows the person, and a second step follows: a code of the app, or a recovery code. */
const secondStepSchema = z.object({ twoFactorRedirect: z.literal(true) });

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
      password: newPasswordSchema,
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
      password: knownPasswordSchema,
      rememberMe: z.boolean().default(true),
    }),
    reply: z.union([signedInSchema, secondStepSchema]),
  },
  'POST /api/auth/two-factor/verify-totp': {
    access: 'anyone',
    summary:
      'Sign in with a code of the authenticator app, after the password or GitHub; signed in, turn it on',
    body: z.strictObject({
      code: z
        .string()
        .max(appCodeDigits, 'A code has 6 digits.')
        .regex(/^\d{6}$/, 'A code has 6 digits.'),
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
    reply: z.union([signedInSchema, secondStepSchema]),
  },
  'POST /api/auth/sign-in/passkey/begin': {
    access: 'anyone',
    summary: 'Begin to sign in with a passkey: what the device has to sign',
    reply: requestOptionsSchema,
  },
  'POST /api/auth/sign-in/passkey': {
    access: 'anyone',
    summary: 'Sign in with the passkey that signed what the console asked',
    body: assertionSchema,
    reply: z.union([signedInSchema, secondStepSchema]),
  },
  'POST /api/auth/two-factor/verify-backup-code': {
    access: 'anyone',
    summary: 'Sign in with a recovery code, after the password or GitHub; each works once',
    body: z.strictObject({ code: storableText(recoveryCodeCharacters).min(1, 'Enter a recovery code.') }),
    reply: signedInSchema,
  },
  'POST /api/auth/two-factor/enable': {
    access: 'anyone',
    summary: 'Begin to turn the second step on: the secret for the app, and the recovery codes',
    body: z.strictObject({ password: knownPasswordSchema }),
    reply: z.object({ totpURI: z.string(), backupCodes: z.array(z.string()) }),
  },
  'POST /api/auth/two-factor/generate-backup-codes': {
    access: 'anyone',
    summary: 'Make new recovery codes in place of the earlier ones',
    body: z.strictObject({ password: knownPasswordSchema }),
    reply: z.object({ backupCodes: z.array(z.string()) }),
  },
  'POST /api/auth/two-factor/disable': {
    access: 'anyone',
    summary: 'Turn the second step off',
    body: z.strictObject({ password: knownPasswordSchema }),
    reply: doneSchema,
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
    summary:
      'Verify an e-mail address with the token of the message; where nobody of the account is signed in, ends its other ways in',
    body: z.object({ token: tokenSchema }),
    reply: doneSchema,
  },
  'POST /api/auth/confirm-email-change': {
    access: 'anyone',
    summary:
      'Confirm a change of the e-mail address with the token of the message, from one of the two addresses',
    body: z.strictObject({ token: tokenSchema }),
    /** False: the present address has agreed, and the new one was mailed its link. */
    reply: z.object({ changed: z.boolean() }),
  },
  'POST /api/auth/request-password-reset': {
    access: 'anyone',
    summary: 'Send a message with which a new password can be set; answers the same for unknown addresses',
    body: z.object({ email: emailSchema }),
    reply: doneSchema,
  },
  'POST /api/auth/reset-password': {
    access: 'anyone',
    summary:
      'Set a new password with the token of the message; ends every session, and API tokens, passkeys, the link to GitHub and destinations of news',
    body: z.object({
      newPassword: newPasswordSchema,
      token: tokenSchema,
      /** Leaves the ways in beside the sessions. Without effect where the address was not verified before: they end. */
      keepOtherWays: z.boolean().default(false),
    }),
    reply: doneSchema,
  },
} as const satisfies RouteTable;

export type AuthKey = keyof typeof authTable;
