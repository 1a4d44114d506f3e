import type { Target } from '@homeport/contract/destinations/schema';
import type { z } from 'zod';
import { destinationPlace, type Sealer } from '../sealing/sealer.ts';
import { keepDiscord } from './discord/discord-channel.ts';
import { keepGotify } from './gotify/gotify-channel.ts';
import { keepMatrix } from './matrix/matrix-channel.ts';
import { keepNtfy } from './ntfy/ntfy-channel.ts';
import { keepPagerduty } from './pagerduty/pagerduty-channel.ts';
import { keepPushover } from './pushover/pushover-channel.ts';
import { keepSlack } from './slack/slack-channel.ts';
import { keepTeams } from './teams/teams-channel.ts';
import { keepTelegram } from './telegram/telegram-channel.ts';
import { keepWebPush } from './web-push/web-push-channel.ts';
import { newWebhookSecret } from './webhook/sign.ts';
import type { webhookSecretSchema } from './webhook/webhook-channel.ts';

/** A destination's target as its row holds it. `shown` is the part that pages show. */
export type SealedTarget = {
  shown: string;
  sealed: Buffer;
  secret: string | null;
  /** Of a browser: which one it is. */
  device: string | null;
  /** What is missing before news can go there; null if nothing is. */
  waitsFor: string | null;
};

/** Seals a target that a person typed. A webhook gets a secret; its person sees the secret once. */
export function sealTarget(
  sealer: Sealer,
  { ownerId, id }: { ownerId: string; id: string },
  target: Target,
  present: z.output<typeof webhookSecretSchema> | null = null,
): SealedTarget {
  const { shown, kept, secret = null, device = null, waitsFor = null } = keepTarget(target, present);
  return { shown, sealed: sealJson(sealer, { ownerId, id }, kept), secret, device, waitsFor };
}

type Kept = { shown: string; kept: object; secret?: string | null; device?: string; waitsFor?: string };

function keepTarget(target: Target, present: z.output<typeof webhookSecretSchema> | null): Kept {
  switch (target.kind) {
    case 'webhook':
      return keepWebhook(target, present);
    case 'slack':
      return keepSlack(target);
    case 'discord':
      return keepDiscord(target);
    case 'ntfy':
      return keepNtfy(target);
    case 'telegram':
      return keepTelegram(target);
    case 'gotify':
      return keepGotify(target);
    case 'pushover':
      return keepPushover(target);
    case 'teams':
      return keepTeams(target);
    case 'matrix':
      return keepMatrix(target);
    case 'pagerduty':
      return keepPagerduty(target);
    case 'web-push':
      return keepWebPush(target);
  }
}

function keepWebhook(
  { url: text }: Extract<Target, { kind: 'webhook' }>,
  present: z.output<typeof webhookSecretSchema> | null,
): Kept {
  const url = new URL(text);
  // Another address keeps the secret: the receiver moved, and its program stays.
  const secret = present?.secret ?? newWebhookSecret();
  const kept = { url: url.href, secret, previous: present?.previous ?? null };
  return { shown: url.host, kept, secret: present === null ? secret : null };
}

export function sealJson(
  sealer: Sealer,
  { ownerId, id }: { ownerId: string; id: string },
  value: object,
): Buffer {
  const bytes = Buffer.from(JSON.stringify(value));
  try {
    return sealer.seal(destinationPlace(ownerId, id), bytes);
  } finally {
    bytes.fill(0);
  }
}
