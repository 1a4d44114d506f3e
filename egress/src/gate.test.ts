import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createGate, type GateSettings, type ResolveAll } from './gate.ts';
import { websitePorts } from './judge.ts';
import { RefusedDestination } from './refusal.ts';
import { writtenForms } from './testing/written-forms.ts';

/** A port that 127.0.0.1 (allowed here), 127.0.0.2 and ::1 (refused here) all answer at. */
const reached: string[] = [];
const answer = (name: string) => (socket: Socket) => {
  reached.push(name);
  socket.on('error', () => undefined);
  socket.end('hello');
};
const outside = createServer(answer('outside'));
const inside = createServer(answer('inside'));
outside.listen(0, '127.0.0.1');
await once(outside, 'listening');
const found = outside.address();
const port = typeof found === 'object' && found !== null ? found.port : 0;
inside.listen(port, '127.0.0.2');
await once(inside, 'listening');
afterAll(() => {
  outside.close();
  inside.close();
});
beforeEach(() => {
  reached.length = 0;
});

const settings: GateSettings = {
  exceptions: ['127.0.0.1/32'],
  openOwnPorts: websitePorts,
  console: { ports: [], names: ['console.example.com'] },
  mixedName: 'drop',
};
const v4 = (address: string) => ({ address, family: 4 });
const v6 = (address: string) => ({ address, family: 6 });
/** Answers each question with the next list, the last one for ever. */
const inTurn = (...lists: { address: string; family: number }[][]) => {
  let asked = 0;
  const resolve: ResolveAll = (_name, _options, done) => {
    const list = lists[Math.min(asked, lists.length - 1)] ?? [];
    asked += 1;
    done(null, list);
  };
  return { resolve, asked: () => asked };
};

/** What becomes of one connection: `connected`, or the error's code. */
async function outcomeOf(open: () => Socket): Promise<string> {
  try {
    const socket = open();
    socket.resume();
    return await new Promise((resolve) => {
      socket.once('error', (error) => resolve('code' in error ? String(error.code) : 'error'));
      socket.once('end', () => resolve('connected'));
    });
  } catch (error) {
    if (error instanceof RefusedDestination) return error.code;
    throw error;
  }
}

it('a console that is opened by an address has no name, and its machine’s other ports stay reachable', async () => {
  const console = { ports: [port + 1], names: ['127.0.0.1', '[::1]'] };
  const gate = createGate({ ...settings, console });
  const [answered] = await once(gate.connect({ host: '127.0.0.1', port }), 'data');
  expect(String(answered)).toBe('hello');
  expect(() => gate.connect({ host: '127.0.0.1', port: port + 1 })).toThrow(RefusedDestination);
});

describe('a name', () => {
  it('that changes its address is resolved once a connection, and the refused address is never connected to', async () => {
    const { resolve, asked } = inTurn([v4('127.0.0.1')], [v4('127.0.0.2')]);
    const gate = createGate(settings, resolve);
    const connect = () => outcomeOf(() => gate.connect({ host: 'rebinding.test', port }));
    expect(await connect()).toBe('connected');
    expect(asked()).toBe(1);
    expect([await connect(), await connect()]).toEqual(['private_address', 'private_address']);
    expect(reached).toEqual(['outside']);
  });

  it('has the addresses that would be tried now, or fails as the connection would', async () => {
    const list = [v4('127.0.0.2'), v4('127.0.0.1')];
    const addressesOf = (mixedName: 'drop' | 'refuse', found = list) =>
      createGate({ ...settings, mixedName }, inTurn(found).resolve).addressesOf('both.test', port);
    expect(await addressesOf('drop')).toEqual([v4('127.0.0.1')]);
    await expect(addressesOf('refuse')).rejects.toThrow(RefusedDestination);
    await expect(addressesOf('drop', [])).rejects.toMatchObject({ code: 'ENOTFOUND' });
    const gate = createGate(settings, inTurn(list).resolve);
    expect(await gate.addressesOf('[127.0.0.1]', port)).toEqual([v4('127.0.0.1')]);
    await expect(gate.addressesOf('127.0.0.2', port)).rejects.toThrow(RefusedDestination);
    await expect(gate.addressesOf('console.example.com', port)).rejects.toThrow(RefusedDestination);
  });

  it('that changes its address over TLS gets no handshake at the refused one', async () => {
    let handshakes = 0;
    const server = createTlsServer().on('connection', () => {
      handshakes += 1;
    });
    server.listen(0, '127.0.0.2');
    await once(server, 'listening');
    const address = server.address();
    const at = typeof address === 'object' && address !== null ? address.port : 0;
    const gate = createGate(settings, inTurn([v4('127.0.0.2')]).resolve);
    expect(await outcomeOf(() => gate.connectTls({ host: 'rebinding.test', port: at }))).toBe(
      'private_address',
    );
    expect(handshakes).toBe(0);
    server.close();
  });

  it('with several addresses is tried at the allowed ones only, whichever of them answers first', async () => {
    // The allowed IPv6 address does not answer, so the socket goes on to the next address of its list.
    const list = [v4('127.0.0.2'), v6('::1'), v4('127.0.0.1'), v4('127.0.0.2'), v6('::ffff:127.0.0.2')];
    const gate = createGate({ ...settings, exceptions: ['127.0.0.1/32', '::1/128'] }, inTurn(list).resolve);
    const tried: string[][] = [];
    const resolved = (addresses: readonly { address: string }[]) =>
      void tried.push(addresses.map(({ address }) => address));
    expect(await outcomeOf(() => gate.connect({ host: 'both.test', port, resolved }))).toBe('connected');
    expect(tried).toEqual([['::1', '127.0.0.1']]);
    expect(reached).toEqual(['outside']);
  });

  it('with an allowed and a refused address is refused where the gate refuses such names', async () => {
    const gate = createGate(
      { ...settings, mixedName: 'refuse' },
      inTurn([v4('127.0.0.1'), v4('127.0.0.2')]).resolve,
    );
    expect(await outcomeOf(() => gate.connect({ host: 'both.test', port }))).toBe('private_address');
    expect(reached).toEqual([]);
  });

  it('without an address fails as such', async () => {
    const gate = createGate(settings, inTurn([]).resolve);
    expect(await outcomeOf(() => gate.connect({ host: 'none.test', port }))).toBe('ENOTFOUND');
  });

  it.each(['console.example.com', 'CONSOLE.example.com', 'console.example.com.'])(
    '%s of the console itself is not even resolved',
    async (host) => {
      const { resolve, asked } = inTurn([v4('127.0.0.1')]);
      expect(await outcomeOf(() => createGate(settings, resolve).connect({ host, port }))).toBe(
        'private_address',
      );
      expect(asked()).toBe(0);
    },
  );
});

it('no written form of a refused address reaches it', async () => {
  // The system's own resolver reads octal, hexadecimal and short forms.
  const gate = createGate(settings);
  for (const host of writtenForms(Uint8Array.from([127, 0, 0, 2])))
    expect(await outcomeOf(() => gate.connect({ host, port })), host).not.toBe('connected');
  expect(reached).toEqual([]);
});

it('brackets and the root’s dot are no part of an allowed address', async () => {
  const gate = createGate(settings);
  for (const host of ['127.0.0.1', '[127.0.0.1]', '127.0.0.1.', '::ffff:127.0.0.1', '[::ffff:7f00:1]'])
    expect(await outcomeOf(() => gate.connect({ host, port })), host).toBe('connected');
});

it('a gate notices an address that this machine gets later', async () => {
  const own = new Set<string>();
  const gate = createGate({ ...settings, exceptions: [] }, undefined, (address) => own.has(address));
  expect(gate.refuses('8.8.8.8', 9200)).toBeNull();
  own.add('8.8.8.8');
  expect(gate.refuses('8.8.8.8', 9200)?.kind).toBe('own_port');
  expect(() => gate.connect({ host: '8.8.8.8', port: 9200 })).toThrow(RefusedDestination);
});
