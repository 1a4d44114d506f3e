import { createRequire } from 'node:module';
import { Duplex } from 'node:stream';
import ssh2 from 'ssh2';
import { describe, expect, it } from 'vitest';
import ours from '../../package.json' with { type: 'json' };
import { protocolOf, windowOf } from './ssh2-protocol.ts';

describe('the private parts of ssh2', () => {
  it('belong to the pinned version', () => {
    const { version } = createRequire(import.meta.url)('ssh2/package.json') as { version: string };
    expect(version, 'Read ssh2-protocol.ts before you allow another version of ssh2').toBe('1.17.0');
    expect(ours.dependencies.ssh2).toBe(version);
  });

  it('exist as soon as a client connects', () => {
    const client = new ssh2.Client().on('error', () => {});
    client.connect({
      sock: new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }),
      username: 'ines',
    });
    const protocol = protocolOf(client);
    expect(protocol._packetRW.write.allocStart).toBeGreaterThan(0);
    expect(windowOf(client, 0)).toBeNull();
    client.destroy();
  });

  it('give a plain message where they are missing', () => {
    expect(() => protocolOf(new ssh2.Client())).toThrow('not the one that Homeport was built with');
  });
});
