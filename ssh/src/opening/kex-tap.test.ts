import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { scanKex } from './kex-tap.ts';

const string = (bytes: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

const packet = (...payload: Buffer[]) => {
  const body = Buffer.concat(payload);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(body.length + 5);
  header.writeUInt8(4, 4);
  return Buffer.concat([header, body, Buffer.alloc(4)]);
};

const hostKey = Buffer.from('host key');
const signature = Buffer.from('signature');
const reply = packet(Buffer.of(31), string(hostKey), string(Buffer.from('value')), string(signature));
const identification = Buffer.from('a notice before\r\nSSH-2.0-OpenSSH_9.2p1\r\n');
const kexInit = packet(Buffer.of(20), randomBytes(40));
const newKeys = packet(Buffer.of(21));

describe('scanKex', () => {
  it('finds the reply and stops at NEWKEYS', () => {
    const bytes = Buffer.concat([identification, kexInit, reply, newKeys, randomBytes(500)]);
    expect(scanKex(bytes)).toEqual({ reply: { hostKey, signature }, done: true });
  });

  it('finds nothing before the whole packet has arrived, wherever the stream is cut', () => {
    const bytes = Buffer.concat([identification, kexInit, reply]);
    for (let cut = 0; cut < bytes.length; cut += 1) {
      expect(scanKex(bytes.subarray(0, cut))).toEqual({ reply: null, done: false });
    }
    expect(scanKex(bytes).reply).not.toBeNull();
  });

  it('ends on lengths that no packet has', () => {
    const huge = Buffer.from('ffffffff0a14', 'hex');
    expect(scanKex(Buffer.concat([identification, huge]))).toEqual({ reply: null, done: true });
    const allPadding = Buffer.from('00000004ff00000000', 'hex');
    expect(scanKex(Buffer.concat([identification, allPadding]))).toEqual({ reply: null, done: true });
  });

  it('never throws on noise', () => {
    for (let round = 0; round < 500; round += 1) {
      const noise = Buffer.concat([round % 2 ? identification : Buffer.alloc(0), randomBytes(round)]);
      expect(() => scanKex(noise)).not.toThrow();
    }
  });
});
