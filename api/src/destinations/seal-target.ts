import type { Target } from '@homeport/contract/destinations/schema';
import type { z } from 'zod';
import { newWebhookSecret } from '../notifications/webhook/sign.ts';
import type { webhookSecretSchema } from '../notifications/webhook/webhook-channel.ts';
import { destinationPlace, type Sealer } from '../sealing/sealer.ts';

/** A destination's target as its row holds it. `shown` is the part that pages show. */
export type SealedTarget = { shown: string; sealed: Buffer; secret: string | null };

/** Seals a target that a person typed. A webhook gets a secret; its person sees the secret once. */
export function sealTarget(
  sealer: Sealer,
  { ownerId, id }: { ownerId: string; id: string },
  target: Target,
  present: z.output<typeof webhookSecretSchema> | null = null,
): SealedTarget {
  const seal = (value: object) => sealJson(sealer, { ownerId, id }, value);
  const url = new URL(target.url);
  // Another address keeps the secret: the receiver moved, and its program stays.
  const secret = present?.secret ?? newWebhookSecret();
  const kept = { url: url.href, secret, previous: present?.previous ?? null };
  return { shown: url.host, sealed: seal(kept), secret: present === null ? secret : null };
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
