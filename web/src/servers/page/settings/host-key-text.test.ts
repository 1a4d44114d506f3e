import { expect, test } from 'vitest';
import { hostKeyText } from './host-key-text.ts';

const server = { simulated: false, hostKeyFingerprint: 'SHA256:console' };
const trust = { pin: null, askEachTime: false, plainAgreedAt: null };

test('a key that the console alone knows is nobody’s: no other browser is made up', () => {
  const known = hostKeyText(server, trust);
  expect(known).toBe('Known to Homeport; this browser asks once.');
  expect(known).not.toContain('another');
  expect(hostKeyText({ ...server, hostKeyFingerprint: null }, trust)).toBe(
    'The first connection asks about it',
  );
});

test('a pinned key is this browser’s, with what is particular about it', () => {
  const pinned = { ...trust, pin: 'SHA256:console' };
  expect(hostKeyText(server, pinned)).toBe('Pinned in this browser.');
  expect(hostKeyText(server, { ...pinned, askEachTime: true, plainAgreedAt: 1 })).toBe(
    'Pinned in this browser. Signatures are not bound to it: its SSH server is older. You are asked before each connection.',
  );
});

test('two keys that differ are told first', () => {
  expect(hostKeyText(server, { ...trust, pin: 'SHA256:browser', askEachTime: true })).toBe(
    'This browser and Homeport hold different keys',
  );
});

test('a simulated server has none', () => {
  expect(hostKeyText({ ...server, simulated: true }, undefined)).toContain('no machine');
});
