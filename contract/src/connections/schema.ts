import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { storableText } from '../fields/schema.ts';
import { agentMessageBytes, openingFailureCodes, signRefusalCodes } from './facts.ts';

const base64 = boundedText(agentMessageBytes).check(z.base64());
export const fingerprintSchema = z.string().regex(/^SHA256:[A-Za-z0-9+/]{43}$/);

export const pageMessageSchema = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('open'),
      openId: storableText(64).min(16),
      serverId: z.uuid(),
      user: storableText(64).min(1),
      method: z.enum(['agent', 'password']),
      /** SSH public key blob, for `agent`. */
      publicKey: base64.optional(),
      /**
       * The page's own pin of this server's host key. Null on first contact, which only shows the host key.
       */
      pin: fingerprintSchema.nullable(),
      /**
       * The person agreed, for this pin, to a signature that is not bound to the server's host key. The page
       * checks each request against its own record. This field only tells the console which signature it may
       * ask for.
       */
      plainAllowed: z.boolean().default(false),
      /** A terminal's SSH agent may ask its person before it signs. The console then waits as long as for a typed password. */
      asksPerson: z.boolean().optional(),
    }),
    z.object({ type: z.literal('signed'), requestId: storableText(64), signature: base64 }),
    z.object({ type: z.literal('refused'), requestId: storableText(64), code: z.enum(signRefusalCodes) }),
    z.object({
      type: z.literal('answers'),
      requestId: storableText(64),
      answers: z.array(storableText(1_024)).max(16),
    }),
  ])
  .meta({ id: 'AgentPageMessage' });

export const consoleMessageSchema = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('host'),
      fingerprint: fingerprintSchema,
      hostKey: base64,
      algorithm: z.string(),
      /** The address at which the server showed the key; absent for a server that is known by its address. */
      address: z.string().optional(),
    }),
    z.object({
      type: z.literal('sign'),
      openId: z.string(),
      requestId: z.string(),
      data: base64,
      hostKey: base64,
      kexSignature: base64,
    }),
    z.object({
      type: z.literal('prompt'),
      requestId: z.string(),
      /**
       * `password`: answer with one binary frame. `interactive`: the server's own prompts, answered by
       * `answers`.
       */
      kind: z.enum(['password', 'interactive']),
      prompts: z.array(z.object({ text: z.string(), echo: z.boolean() })),
    }),
    z.object({
      type: z.literal('ready'),
      connectionId: z.string(),
      idleMs: z.number(),
      expiresAt: z.number(),
      bootId: z.string().nullable(),
    }),
    z.object({
      type: z.literal('failed'),
      code: z.enum(openingFailureCodes),
      message: z.string(),
      methodsLeft: z.array(z.string()).optional(),
      fingerprints: z.object({ pinned: fingerprintSchema, presented: fingerprintSchema }).optional(),
      /** With `fingerprints`: the address at which the name of the server was answered. */
      address: z.string().optional(),
    }),
  ])
  .meta({ id: 'AgentConsoleMessage' });

export type PageMessage = z.output<typeof pageMessageSchema>;
export type ConsoleMessage = z.output<typeof consoleMessageSchema>;

/** A live connection as the page shows it. Nobody can act with anything in it. */
export const liveConnectionSchema = z
  .object({
    connectionId: z.string(),
    serverId: z.uuid(),
    user: z.string(),
    method: z.enum(['agent', 'password']),
    openedAt: z.number(),
    lastUsedAt: z.number(),
    expiresAt: z.number(),
  })
  .meta({ id: 'LiveConnection' });
export type LiveConnection = z.output<typeof liveConnectionSchema>;
