import { z } from 'zod';
import { nameCharacters } from '../fields/facts.ts';
import { epochMsSchema, idSchema, shownText, storableText } from '../fields/schema.ts';
import type { RouteTable } from '../route.ts';
import { tokenScopes } from '../tokens/facts.ts';
import { asUserCode, isUserCode, userCodeLength, withoutAddress } from './facts.ts';

/** Without hidden characters: the person reads it before they decide. */
const deviceName = shownText(nameCharacters, 'A name').min(1);

/** The members of RFC 8628 have its names. */
export const deviceCodesSchema = z
  .object({
    device_code: z.string(),
    user_code: z.string(),
    /** The page where the person types the code. There is no address that carries the code (RFC 8628, 5.4). */
    verification_uri: z.string(),
    interval: z.number(),
    expires_in: z.number(),
  })
  .meta({ id: 'DeviceCodes' });

/** Waiting is no failure, so RFC 8628's `error` is a state here. */
export const deviceAnswerSchema = z
  .discriminatedUnion('state', [
    z.object({ state: z.enum(['authorization_pending', 'slow_down', 'expired_token', 'access_denied']) }),
    z.object({
      state: z.literal('approved'),
      access_token: z.string(),
      expiresAt: epochMsSchema,
      /** The e-mail address of the account: the terminal shows whose token it got. */
      account: z.string(),
    }),
  ])
  .meta({ id: 'DeviceAnswer' });
export type DeviceAnswer = z.output<typeof deviceAnswerSchema>;

export const deviceRequestSchema = z
  .object({
    id: idSchema,
    /** What the terminal says of itself. Anybody can say anything. */
    name: z.string(),
    platform: z.string(),
    /** Where the request came from, as the console saw it. */
    address: z.string(),
    requestedAt: epochMsSchema,
    expiresAt: epochMsSchema,
    scopes: z.array(z.enum(tokenScopes)),
  })
  .meta({ id: 'DeviceRequest' });
export type DeviceRequest = z.output<typeof deviceRequestSchema>;

const userCodeSchema = storableText(40)
  .transform(asUserCode)
  .refine(isUserCode, `A code has ${userCodeLength} letters, as in BDWP-HQPK.`);

const chosen = { params: z.object({ id: idSchema }) };

export const deviceRoutes = {
  'POST /api/device': {
    access: 'anyone',
    summary: 'A terminal asks for a sign-in (RFC 8628): the code that its person types on the page /device',
    body: z.strictObject({
      name: deviceName.refine((name) => withoutAddress(name) === name, 'A name cannot hold an address.'),
      platform: deviceName,
    }),
    reply: deviceCodesSchema,
  },
  'POST /api/device/token': {
    access: 'anyone',
    summary: 'Whether the person has approved; the first answer after that holds the token',
    body: z.strictObject({ device_code: storableText(100) }),
    reply: deviceAnswerSchema,
  },
  'POST /api/device/look': {
    access: 'signed-in',
    summary: 'The request of a typed code; five codes a minute',
    body: z.strictObject({ code: userCodeSchema }),
    reply: deviceRequestSchema,
  },
  'POST /api/device/:id/approve': {
    access: 'signed-in',
    confirm: true,
    summary: 'Give the terminal a token of its own',
    ...chosen,
    reply: z.object({ approved: z.literal(true) }),
  },
  'POST /api/device/:id/decline': {
    access: 'signed-in',
    summary: 'Refuse the terminal, whose code ends',
    ...chosen,
    reply: z.object({ declined: z.literal(true) }),
  },
} as const satisfies RouteTable;
