import { expect, test } from 'vitest';
import { newWebhookSecret, sign } from './sign.ts';

test('signs as the published example of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const example = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  };
  expect(sign([secret], example)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  const [first, second] = sign([newWebhookSecret(), secret], example).split(' ');
  expect(first).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
  expect(second).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('a secret is 32 random bytes behind the prefix of Standard Webhooks', () => {
  const secret = newWebhookSecret();
  expect(secret).toMatch(/^whsec_/);
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  expect(newWebhookSecret()).not.toBe(secret);
});
