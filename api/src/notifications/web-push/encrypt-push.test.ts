import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { encryptPush, pushTextBytes } from './encrypt-push.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

test('the example of RFC 8291, appendix A, is encrypted to its very bytes', () => {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'));
  const body = encryptPush(
    Buffer.from('When I grow up, I want to be a watermelon'),
    {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    { pair, salt: bytes('DGv6ra1nlYgDCS1FRnbzlw') },
  );
  expect(body.toString('base64url')).toBe(
    [
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w',
      'EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    ].join(''),
  );
});

test('the longest text is as long as every push service takes, and each message has a key of its own', () => {
  const receiver = createECDH('prime256v1');
  receiver.generateKeys();
  const to = { p256dh: receiver.getPublicKey('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' };
  const [one, other] = [Buffer.alloc(pushTextBytes, 'a'), Buffer.alloc(pushTextBytes, 'a')].map((text) =>
    encryptPush(text, to),
  );
  expect(one).toHaveLength(4_096);
  expect(one?.subarray(0, 16)).not.toEqual(other?.subarray(0, 16));
  expect(one?.subarray(21, 86)).not.toEqual(other?.subarray(21, 86));
  expect(() => encryptPush(Buffer.alloc(pushTextBytes + 1), to)).toThrow('3994 bytes');
});
