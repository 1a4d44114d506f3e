import { createHmac, randomBytes } from 'node:crypto';
import { webhookSecretPrefix } from '@homeport/contract/destinations/facts';

/** A secret of 32 random bytes in the spelling of Standard Webhooks 1.0.0. */
export const newWebhookSecret = () => webhookSecretPrefix + randomBytes(32).toString('base64');

/** `webhook-signature` of Standard Webhooks 1.0.0: one signature for each secret, so that a receiver can take the new one when it suits. */
export function sign(
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(webhookSecretPrefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
}
