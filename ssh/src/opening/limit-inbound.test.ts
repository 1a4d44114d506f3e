import { describe, expect, it } from 'vitest';
import { limitInbound } from './limit-inbound.ts';
import type { Ssh2Protocol } from './ssh2-protocol.ts';
import { wireString, wireUint32 } from './wire.ts';

const channelData = (bytes: number) =>
  Buffer.concat([Buffer.of(94), wireUint32(0), wireString(Buffer.alloc(bytes))]);
const channelStderr = (bytes: number) =>
  Buffer.concat([Buffer.of(95), wireUint32(0), wireUint32(1), wireString(Buffer.alloc(bytes))]);

/** A connection after its login, whose first channel has room for 1,000 bytes. */
function loggedIn({ unread = 0 } = {}) {
  const own = { read: (payload: Buffer) => payload, cleanup: () => {} };
  const packets = {
    read: own,
    write: { allocStart: 5, alloc: Buffer.alloc, finalize: (packet: Buffer) => packet },
  };
  const protocol = { _packetRW: packets, _authsQueue: [] as string[] } as unknown as Ssh2Protocol;
  const windowOf = (channel: number) => (channel === 0 ? 1_000 : null);
  limitInbound(protocol, {
    unread: () => unread,
    windowOf,
    onExtensions: () => {},
    onPacket: () => {},
  }).loggedIn();
  return protocol._packetRW;
}

describe('what a server sends after the login', () => {
  it.each([channelData(1_000), channelStderr(1_000)])('may fill a channel’s window', (packet) => {
    expect(loggedIn().read.read(packet)).toBe(packet);
  });

  it.each([channelData(1_001), channelStderr(1_001)])('may not exceed it', (packet) => {
    expect(() => loggedIn().read.read(packet)).toThrow('more than it was allowed');
  });

  it.each([channelData(10), channelStderr(10)])('may have no byte behind its data', (packet) => {
    const longer = Buffer.concat([packet, Buffer.alloc(1)]);
    expect(() => loggedIn().read.read(longer)).toThrow('bytes behind the data');
  });

  it('may be any data for a closed channel', () => {
    const late = Buffer.concat([Buffer.of(94), wireUint32(7), wireString(Buffer.alloc(5_000))]);
    expect(() => loggedIn().read.read(late)).not.toThrow();
  });

  it('may not be a request while the server reads no answers', () => {
    const { read } = loggedIn({ unread: 65 * 1024 * 1024 });
    expect(() => read.read(Buffer.of(80))).toThrow('does not read');
  });

  it('may be 128 key exchanges at once, and not one more', () => {
    const { read } = loggedIn();
    const rekey = Buffer.concat([Buffer.of(20), Buffer.alloc(100)]);
    for (let n = 0; n < 128; n += 1) read.read(rekey);
    const more = () => {
      for (let n = 0; n < 128; n += 1) read.read(rekey);
    };
    expect(more).toThrow('new keys too often');
  });

  it('reaches ssh2 as an empty message where it is a list of host keys', () => {
    const offer = Buffer.concat([Buffer.of(80), wireString('hostkeys-00@openssh.com'), Buffer.of(0)]);
    expect(loggedIn().read.read(offer)).toEqual(Buffer.from('0200000000', 'hex'));
    const other = Buffer.concat([Buffer.of(80), wireString('keepalive@openssh.com'), Buffer.of(1)]);
    expect(loggedIn().read.read(other)).toBe(other);
  });

  it('still passes the limits after ssh2 has installed another reader', () => {
    const packets = loggedIn();
    packets.read = { read: (payload) => payload, cleanup: () => {} };
    expect(() => packets.read.read(channelData(1_001))).toThrow('more than it was allowed');
  });
});
