import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { everyNetwork } from './exceptions.ts';
import { createJudge, loginPorts, type Rules, websitePorts } from './judge.ts';
import { writtenForms } from './testing/written-forms.ts';

const own = new Set(['8.8.8.8', '10.0.0.5', '2606:4700::1111']);
const rules = (exceptions: readonly string[] = [], openOwnPorts = websitePorts): Rules => ({
  exceptions,
  openOwnPorts,
  console: { ports: [7070, 7081], names: [] },
});
const judgeOf = (exceptions?: readonly string[], openOwnPorts?: readonly number[]) => {
  const judge = createJudge(
    rules(exceptions, openOwnPorts),
    (address) => own.has(address) || address === '::1' || address.startsWith('127.'),
  );
  return (address: string, port: number) => judge(address, port)?.kind ?? 'allowed';
};

const nobody = judgeOf();
const everything = judgeOf(everyNetwork);

describe('of addresses that are never reached', () => {
  it.each([
    ...['0.0.0.0', '0.0.0.1', '::', '169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1'],
    ...['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16'],
    ...['224.0.0.1', '255.255.255.255', 'ff02::1'],
    // The same behind a gateway: NAT64, 6to4, IPv4-compatible and IPv4-translated.
    ...[
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::a9fe:a9fe',
      '2002:a9fe:a9fe::',
      '::a9fe:a9fe',
      '::ffff:0:a9fe:a9fe',
    ],
    ...['::ffff:169.254.169.254', '::ffff:0.0.0.0', '::ffff:a83f:8110'],
  ])('%s is refused on each port, with each exception', (address) => {
    for (const port of [1, 22, 80, 443, 7070, 65_535]) {
      expect(nobody(address, port)).toBe('never');
      expect(everything(address, port)).toBe('never');
      expect(judgeOf([address.includes(':') ? `${address}/128` : `${address}/32`])(address, port)).toBe(
        'never',
      );
    }
  });
});

describe('of this machine’s own addresses', () => {
  it('only websites are reached without an exception, and only on its public addresses', () => {
    for (const address of ['8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1111', '2606:4700:0:0:0:0:0:1111']) {
      expect([80, 443, 22, 9200, 7070].map((port) => nobody(address, port))).toEqual([
        ...['allowed', 'allowed', 'own_port', 'own_port', 'console'],
      ]);
    }
    for (const address of ['127.0.0.1', '127.8.9.10', '::1', '10.0.0.5', '::ffff:127.0.0.1'])
      expect([80, 9200].map((port) => nobody(address, port))).toEqual(['private', 'private']);
  });

  it('a network that holds other machines too opens their ports and none of ours', () => {
    const office = judgeOf(['10.0.0.0/8']);
    expect(office('10.0.0.6', 9200)).toBe('allowed');
    expect([80, 443, 9200, 7070].map((port) => office('10.0.0.5', port))).toEqual([
      ...['allowed', 'allowed', 'own_port', 'console'],
    ]);
  });

  it.each([
    ['127.0.0.0/8', '127.0.0.1'],
    ['127.0.0.0/24', '127.0.0.9'],
    ['127.0.0.1/32', '127.0.0.1'],
    ['::1/128', '::1'],
    ['10.0.0.5/32', '10.0.0.5'],
    ['8.8.8.8/32', '8.8.8.8'],
    ['0.0.0.0/0', '127.0.0.1'],
    ['::/0', '::1'],
  ])('%s means this machine and opens each port of %s but the console’s own', (network, address) => {
    const judge = judgeOf([network]);
    expect([80, 3000, 7070, 7081].map((port) => judge(address, port))).toEqual([
      ...['allowed', 'allowed', 'console', 'console'],
    ]);
  });

  it.each(['126.0.0.0/7', '127.0.0.0/7', '10.0.0.4/31', '::/1', '0.0.0.0/1'])(
    '%s does not mean this machine',
    (network) => {
      const judge = judgeOf([network]);
      for (const address of ['127.0.0.1', '10.0.0.5', '::1'])
        expect(judge(address, 3000)).not.toBe('allowed');
    },
  );

  it('as a server only the port of logins is reached', () => {
    const servers = judgeOf([], loginPorts);
    expect([22, 80, 2222].map((port) => servers('8.8.8.8', port))).toEqual([
      ...['allowed', 'own_port', 'own_port'],
    ]);
  });
});

describe('of any address', () => {
  const address = fc.oneof(
    fc.uint8Array({ minLength: 4, maxLength: 4 }),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
    // Random bytes rarely meet a short block, so addresses near the blocks' beginnings are drawn too.
    fc
      .tuple(
        fc.constantFrom(...['::', '::ffff:0:0', '64:ff9b::', '2001::', '2002::', 'fc00::', 'fe80::']),
        fc.nat(0xffff),
      )
      .map(([block, end]) => {
        const bytes = Uint8Array.from(ipaddr.parse(block).toByteArray());
        bytes.set([end >> 8, end & 255], 14);
        return bytes;
      }),
    fc
      .tuple(
        fc.constantFrom(0, 10, 100, 127, 168, 169, 172, 192, 198, 203, 224, 240, 255),
        fc.uint8Array({ minLength: 3, maxLength: 3 }),
      )
      .map(([first, rest]) => Uint8Array.from([first, ...rest])),
  );
  const port = fc.constantFrom(1, 22, 80, 443, 3000, 7070);

  it('one that ipaddr.js does not call unicast is refused without an exception', () => {
    fc.assert(
      fc.property(address, port, (bytes, at) => {
        const parsed = ipaddr.process(ipaddr.fromByteArray([...bytes]).toString());
        if (parsed.range() !== 'unicast') expect(nobody(parsed.toString(), at)).not.toBe('allowed');
      }),
      { numRuns: 5_000 },
    );
  });

  it('one that ipaddr.js calls unspecified, link-local, multicast or broadcast is refused with every exception', () => {
    const never = new Set(['unspecified', 'linkLocal', 'multicast', 'broadcast']);
    fc.assert(
      fc.property(address, port, (bytes, at) => {
        const parsed = ipaddr.process(ipaddr.fromByteArray([...bytes]).toString());
        if (never.has(parsed.range())) expect(everything(parsed.toString(), at)).not.toBe('allowed');
      }),
      { numRuns: 5_000 },
    );
  });

  it('each written form is judged as the address that a socket reaches, or is no address', () => {
    fc.assert(
      fc.property(address, port, (bytes, at) => {
        const plain = ipaddr.process(ipaddr.fromByteArray([...bytes]).toString()).toString();
        for (const judge of [nobody, everything]) {
          const expected = judge(plain, at);
          for (const form of writtenForms(bytes))
            expect([expected, 'not_an_address']).toContain(judge(form, at));
        }
      }),
      { numRuns: 300 },
    );
  });
});
