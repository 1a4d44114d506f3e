import { z } from 'zod';
import { keyIdSchema } from '../../credentials/schema.ts';
import { boundedText } from '../../fields/bounded-text.ts';
import { idSchema } from '../../fields/schema.ts';
import { operationSchema } from '../../operations/schema.ts';
import type { RouteTable } from '../../route.ts';
import { keysPerCreation } from '../facts.ts';
import { keyStandings, keysOfName, noPusherLeft, pushNamesAtMost } from './facts.ts';

/** A name that Homeport passes on to Dokku. Dokku itself takes any text, and writes it into a shell line. */
const pushNameSchema = boundedText(64).regex(
  /^[A-Za-z0-9_][A-Za-z0-9._-]*$/,
  'Use letters, digits, dot, hyphen and underscore.',
);

export const pushKeySchema = z
  .object({
    /** By this name an app’s list holds it; null: it has none that Homeport uses. */
    name: z.string().nullable(),
    /** The person’s keypair; null: a key of somebody else, or one that the person removed from Homeport. */
    keyId: keyIdSchema.nullable(),
    /** As OpenSSH shows them, the person’s own first. A list allows all keys of a name together. */
    fingerprints: z.array(z.string()).max(keysOfName),
    /** How many keys of the name were left out, because there are too many. The name cannot be added. */
    moreOfName: z.int(),
    standing: z.enum(keyStandings),
    listed: z.boolean(),
    /** GitHub deploys the app with this key. It comes and goes with the continuous deployment. */
    deploys: z.boolean(),
  })
  .meta({ id: 'PushKey' });
export type PushKey = z.output<typeof pushKeySchema>;

export const pushListSchema = z
  .object({
    /** The server has the acl plugin. Without it there is no list, and every key of the server may push to every app. */
    hasLists: z.boolean(),
    /** The person’s own first. Where none is listed, every key of the server may push. */
    keys: z.array(pushKeySchema),
    /** Keys of the server that were left out, because there are too many. */
    more: z.int(),
    /** Names on the list that Homeport passes on to no command. They stay as they are. */
    odd: z.int(),
    /** The list has more names than Homeport changes. */
    isTooLong: z.boolean(),
    /** Homeport’s login may give the server a key that it lacks. */
    mayAdd: z.boolean(),
  })
  .meta({ id: 'PushList' });
export type PushList = z.output<typeof pushListSchema>;

const tooLong = `Homeport changes lists of at most ${pushNamesAtMost} keys.`;
const eachOnce = (names: readonly string[]) => new Set(names).size === names.length;
const fingerprintSchema = boundedText(50).regex(/^SHA256:[A-Za-z0-9+/]{43}$/);

/** `from` is the list that the page showed; null: the server had no lists. If the server has another by now, nothing is changed. */
export const pushKeyChangeSchema = z
  .strictObject({
    from: z
      .array(pushNameSchema)
      .max(pushNamesAtMost, tooLong)
      .refine(eachOnce, 'Name each key once.')
      .nullable(),
    /**
     * The names that may push, besides those of `add`. A name that is not in `from` comes with the keys that the page showed: if the
     * server has another key under it by now, nothing is changed.
     */
    to: z
      .array(
        z.strictObject({ key: pushNameSchema, fingerprints: z.array(fingerprintSchema).max(keysOfName) }),
      )
      .max(pushNamesAtMost, tooLong)
      .refine((keys) => eachOnce(keys.map(({ key }) => key)), 'Name each key once.'),
    /** Keypairs of the person that the server lacks. */
    add: z
      .array(keyIdSchema)
      .max(keysPerCreation, `Choose at most ${keysPerCreation} keys.`)
      .refine(eachOnce, 'Name each key once.'),
  })
  .superRefine(({ from, to, add }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (from === null && to.length > 0) refuse('from', 'The server has no lists of keys.');
    if (to.length + add.length === 0) return refuse('to', noPusherLeft);
    const isSame = from?.length === to.length && to.every(({ key }) => from.includes(key));
    if (isSame && add.length === 0) refuse('to', 'These keys may push already.');
  });

export type PushKeyChange = z.output<typeof pushKeyChangeSchema>;

const byId = z.object({ id: idSchema });

export const pushKeyRoutes = {
  'GET /api/apps/:id/push-keys': {
    access: 'signed-in',
    summary: 'Which keys may push to the app, beside those of the person and those that its server has',
    params: byId,
    reply: pushListSchema,
  },
  'POST /api/apps/:id/push-keys': {
    access: 'signed-in',
    summary: 'Change which keys may push to the app, as an operation; nothing restarts',
    params: byId,
    body: pushKeyChangeSchema,
    reply: operationSchema,
    status: 202,
  },
} as const satisfies RouteTable;
