import { expect, test } from 'vitest';
import { pushEndpointProblem, pushKeyProblem, pushSecretProblem } from './push-subscription.ts';

/** The browser of RFC 8291, appendix A. */
const key = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
const secret = 'BTBZMqHH6r4Tts7J_aSIgg';

test.each([
  'https://fcm.googleapis.com/fcm/send/abc:APA91b',
  'https://wns2-par02p.notify.windows.com/w/?token=a%2b',
])('the endpoint %s is taken', (text) => expect(pushEndpointProblem(text)).toBeNull());

test.each([
  'http://push.example.com/a',
  'https://push.example.com:25/',
  'https://u:p@push.example.com/',
  'ftp://push.example.com/',
  'push',
])('the endpoint %s is refused', (text) => expect(pushEndpointProblem(text)).toEqual(expect.any(String)));

test('a key has 65 bytes and begins as an uncompressed point', () => {
  expect(pushKeyProblem(key)).toBeNull();
  for (const wrong of [
    key.slice(1),
    `${key}A`,
    `A${key.slice(1)}`,
    `BQ${key.slice(2)}`,
    `${key.slice(0, 86)}=`,
    '',
  ])
    expect(pushKeyProblem(wrong), wrong).toEqual(expect.any(String));
});

test('a secret has 16 bytes', () => {
  expect(pushSecretProblem(secret)).toBeNull();
  for (const wrong of [secret.slice(1), `${secret}A`, `${secret.slice(0, 21)}h`, `${secret}==`, ''])
    expect(pushSecretProblem(wrong), wrong).toEqual(expect.any(String));
});
