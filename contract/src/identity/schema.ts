import { z } from 'zod';
import { emailSchema, epochMsSchema, idSchema, nameSchema } from '../fields/schema.ts';
import type { RouteTable } from '../route.ts';

/**
 * Who is signed in. Signing in, up and out, verification and reset are better-auth’s own routes under
 * `/api/auth/`.
 */
export const sessionSchema = z
  .object({
    /** Names the sign-in; it is no secret and proves nothing. */
    id: idSchema,
    user: z.object({
      id: idSchema,
      name: z.string(),
      email: z.string(),
      emailVerified: z.boolean(),
      /** The address of the picture on the console; null without one. */
      avatar: z.string().nullable(),
    }),
    /** True for the first account of this console. */
    owner: z.boolean(),
    githubLinked: z.boolean(),
    /** Whether messages leave this console. The frame says where a message is as soon as it knows the user. */
    mailConfigured: z.boolean(),
    /**
     * The console was restored from a backup, and its owner has not said yet that it is the one that goes on: it mails nothing, checks
     * nothing and runs no schedule. null: it acts as always.
     */
    restored: z.object({ backupAt: epochMsSchema, restoredAt: epochMsSchema }).nullable(),
    expiresAt: epochMsSchema,
  })
  .meta({ id: 'Session' });
export type Session = z.output<typeof sessionSchema>;

/** A change of the e-mail address that is not over. Both addresses confirm it, the present one first. */
export const emailChangeSchema = z
  .object({
    /** The new address. */
    email: z.string(),
    /** The address whose mailed link is awaited. */
    waitsFor: z.enum(['present', 'new']),
    /** When that link ends, and the change with it. */
    expiresAt: epochMsSchema,
  })
  .meta({ id: 'EmailChange' });
export type EmailChange = z.output<typeof emailChangeSchema>;

export const profileSchema = z
  .object({
    name: z.string(),
    email: z.string(),
    /** Random, made once. A second secret when a key is locked in a browser. Base64 of 32 bytes. */
    pepper: z.string(),
    /** False for a person who signs in with another account only. */
    hasPassword: z.boolean(),
    /** Signing in asks for a code of an authenticator app after the password. */
    secondStep: z.boolean(),
    emailChange: emailChangeSchema.nullable(),
  })
  .meta({ id: 'Profile' });
export type Profile = z.output<typeof profileSchema>;

export const mailMessageSchema = z
  .object({ id: idSchema, to: z.string(), subject: z.string(), text: z.string(), at: epochMsSchema })
  .meta({ id: 'MailMessage' });
export type MailMessage = z.output<typeof mailMessageSchema>;

/** `accepted`: somebody signed up with the invitation. An address has at most one pending invitation. */
export const invitationSchema = z
  .object({
    id: idSchema,
    email: z.string(),
    state: z.enum(['pending', 'accepted', 'expired', 'withdrawn']),
    createdAt: epochMsSchema,
    expiresAt: epochMsSchema,
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.output<typeof invitationSchema>;

export const promoSchema = z.object({
  provider: z.string().min(1).max(60),
  amountUsd: z.number().positive(),
  url: z.url({ protocol: /^https$/ }),
  /** Whoever runs the console receives credits when somebody uses the link. */
  referral: z.boolean().default(false),
});
export type Promo = z.output<typeof promoSchema>;

/** What a page of the demo offers. The tokens open the demo's own stand-ins, and nothing anywhere else. */
const demoSchema = z.object({
  cloudflareToken: z.string().nullable(),
  githubToken: z.string().nullable(),
  /** The port where the sandbox serves every app, in place of port 80; null: there is no sandbox. */
  webPort: z.number().nullable(),
});
export type DemoOffer = z.output<typeof demoSchema>;

export const configurationSchema = z
  .object({
    version: z.string(),
    publicUrl: z.string(),
    /** The address that agents post to; null for a loopback address, which other machines cannot reach. */
    reachableUrl: z.string().nullable(),
    appDomain: z.string().nullable(),
    /** The name that the CNAMEs of proxied domains lead to; null: the operator named none. */
    proxyHost: z.string().nullable(),
    signUps: z.enum(['open', 'invite', 'closed']),
    /** False: nobody has an account yet, and the first one owns the console. */
    hasOwner: z.boolean(),
    promos: z.array(promoSchema),
    /** False: messages stay in the outbox and are not sent. */
    mailConfigured: z.boolean(),
    githubSignIn: z.boolean(),
    /** Where repositories are opened in a browser. */
    githubUrl: z.string(),
    demo: demoSchema.nullable(),
  })
  .meta({ id: 'Configuration' });
export type Configuration = z.output<typeof configurationSchema>;

export const identityRoutes = {
  'GET /api/configuration': {
    access: 'anyone',
    summary: 'What this console offers',
    reply: configurationSchema,
  },
  'GET /api/session': { access: 'signed-in', summary: 'Who is signed in', reply: sessionSchema },
  'GET /api/profile': { access: 'signed-in', summary: 'The profile and its pepper', reply: profileSchema },
  'PATCH /api/profile': {
    access: 'signed-in',
    summary: 'Change the display name',
    body: z.strictObject({ name: nameSchema }),
    reply: profileSchema,
  },
  'GET /api/outbox': {
    access: 'owner',
    summary: 'Messages kept because no mail server is configured, newest first',
    reply: z.array(mailMessageSchema),
  },
  'POST /api/console/confirm': {
    access: 'owner',
    summary:
      'Say that this restored console is the one that goes on: it mails, checks and runs schedules again',
    reply: z.object({ confirmed: z.literal(true) }),
  },
  'GET /api/invitations': {
    access: 'owner',
    summary: 'The invitations to make an account, newest first',
    reply: z.array(invitationSchema),
  },
  'POST /api/invitations': {
    access: 'owner',
    confirm: true,
    summary: 'Send an address a link that makes an account; an earlier link of the same address ends',
    body: z.strictObject({ email: emailSchema }),
    reply: invitationSchema,
    status: 201,
  },
  'POST /api/invitations/:id/withdraw': {
    access: 'owner',
    summary: 'End an invitation that nobody has used',
    params: z.object({ id: idSchema }),
    reply: invitationSchema,
  },
} as const satisfies RouteTable;
