import { type ConsoleMessage, consoleMessageSchema } from '@homeport/contract/connections/schema';
import { describe, expect, it } from 'vitest';
import { readConsoleMessage } from './read-console-message.ts';

const fingerprint = `SHA256:${'a'.repeat(43)}`;
const sound: ConsoleMessage[] = [
  { type: 'host', fingerprint, hostKey: 'AAAA', algorithm: 'ssh-ed25519' },
  { type: 'sign', openId: 'o', requestId: 'r', data: 'AAAA', hostKey: 'AAAA', kexSignature: 'AAAA' },
  { type: 'prompt', requestId: 'r', kind: 'interactive', prompts: [{ text: 'Code: ', echo: true }] },
  { type: 'ready', connectionId: 'c', idleMs: 1, expiresAt: 2, bootId: null },
  { type: 'failed', code: 'timeout', message: 'm' },
  {
    type: 'failed',
    code: 'host_key_changed',
    message: 'm',
    methodsLeft: ['password'],
    fingerprints: { pinned: fingerprint, presented: fingerprint },
  },
];

describe('a message of the console', () => {
  it.each(sound.map((message) => [message.type, message] as const))(
    '%s is read according to the contract',
    (_type, message) => {
      expect(consoleMessageSchema.parse(message)).toEqual(message);
      expect(readConsoleMessage(JSON.stringify(message))).toEqual(message);
    },
  );

  it('with a missing field or a field of another type is refused whenever the contract refuses it', () => {
    for (const message of sound) {
      for (const field of Object.keys(message)) {
        for (const value of [undefined, 7, true, 'x', [7], {}]) {
          const spoiled = { ...message, [field]: value };
          // Texts that the page only shows or decodes may hold anything. This test leaves out texts that the contract narrows further.
          if (consoleMessageSchema.safeParse(spoiled).success || value === 'x') continue;
          expect(
            readConsoleMessage(JSON.stringify(spoiled)),
            `${message.type}.${field} = ${value}`,
          ).toBeUndefined();
        }
      }
    }
  });

  it.each(['', 'null', '7', '[]', '{}', '{"type":"open"}', '{"type":"constructor"}', '{"type":'])(
    '%j is no message',
    (text) => {
      expect(readConsoleMessage(text)).toBeUndefined();
    },
  );
});
