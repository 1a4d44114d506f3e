import { expect, it } from 'vitest';
import type { Ssh2Protocol } from './ssh2-protocol.ts';
import { writeInPlace } from './write-in-place.ts';

const gcm = 'aes128-gcm@openssh.com';
/** A packet without its payload as ssh2 makes it: padded to whole blocks, its length aside. */
const ownPacket = (payloadBytes: number) => Buffer.alloc(4 + Math.ceil((payloadBytes + 5) / 16) * 16);

/** A cipher that hands over what ssh2's hands over: the length where it stands, and the rest in memory of its own. */
function cipherThatSends(allocPacket = ownPacket) {
  const sent: Uint8Array[] = [];
  const cipher = {
    allocPacket,
    encrypt(packet: Buffer) {
      cipher._onWrite(packet.subarray(0, 4));
      cipher._onWrite(Buffer.from(packet.subarray(4)));
    },
    _onWrite: (piece: Uint8Array) => void sent.push(piece),
  };
  return { cipher, sent };
}

function written(name = gcm, allocPacket = ownPacket) {
  const { cipher, sent } = cipherThatSends(allocPacket);
  writeInPlace({ _cipher: cipher } as unknown as Ssh2Protocol, name);
  return { cipher, sent };
}

it('makes packets of whole blocks with at least four bytes of padding', () => {
  const { cipher } = written();
  for (const payload of [...Array(64).keys(), 9_000, 32_777, 100_000]) {
    const packet = cipher.allocPacket(payload);
    const padding = packet[4] ?? 0;
    expect(packet.readUInt32BE(0)).toBe(packet.length - 4);
    expect((packet.length - 4) % 16).toBe(0);
    expect(padding).toBeGreaterThanOrEqual(4);
    expect(padding).toBeLessThan(20);
    expect(packet.length).toBe(4 + 1 + payload + padding);
  }
});

it('pads each packet with other random bytes, also when those that were drawn are used up', () => {
  const { cipher } = written();
  const paddings = Array.from({ length: 3_000 }, () => cipher.allocPacket(3).subarray(-12).toString('hex'));
  expect(new Set(paddings).size).toBe(paddings.length);
});

it('has one piece of memory for all large packets, and leaves what was sent as it is', () => {
  const { cipher, sent } = written();
  for (const payload of [32_000, 16_000]) {
    const packet = cipher.allocPacket(payload);
    packet.fill(payload === 32_000 ? 'a' : 'b', 5, 5 + payload);
    cipher.encrypt(packet);
  }
  expect(cipher.allocPacket(32_000).buffer).toBe(cipher.allocPacket(16_000).buffer);
  const lengths = [sent[0], sent[2]].map((piece) => Buffer.from(piece ?? []).readUInt32BE(0));
  expect(lengths).toEqual([32_000 + 1 + 15, 16_000 + 1 + 15]);
});

it('gives a small packet memory of its own, because it may carry a secret', () => {
  const { cipher } = written();
  const first = cipher.allocPacket(100);
  first.write('secret', 5);
  cipher.allocPacket(100).fill(0);
  expect(String(first.subarray(5, 11))).toBe('secret');
});

it('leaves every other cipher to ssh2, and the one that encrypts where the packet stands', () => {
  expect(written('aes128-ctr').cipher.allocPacket).toBe(ownPacket);
  const withTag = (payloadBytes: number) => Buffer.alloc(ownPacket(payloadBytes).length + 16);
  expect(written(gcm, withTag).cipher.allocPacket).toBe(withTag);
});
