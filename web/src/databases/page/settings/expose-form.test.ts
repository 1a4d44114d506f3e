import { exposedPorts } from '@homeport/contract/databases/facts';
import { describe, expect, it } from 'vitest';
import { type ExposeEvent, exposeFormAfter, exposeFormOf, portProblems, portsOf } from './expose-form.ts';

const offer = {
  addresses: [
    { address: '127.0.0.1', kind: 'loopback' as const },
    { address: '10.0.0.5', kind: 'private' as const },
    { address: null, kind: 'everywhere' as const },
  ],
  ports: [
    { containerPort: 9000, hostPort: 21_000 },
    { containerPort: 8123, hostPort: 21_001 },
  ],
};
const after = (...events: ExposeEvent[]) => events.reduce(exposeFormAfter, exposeFormOf(offer));

describe('the form of an exposure', () => {
  it('begins with the loopback address and the free ports of the offer', () => {
    expect(after()).toEqual({
      address: '127.0.0.1',
      hostPorts: ['21000', '21001'],
      step: 'choose',
      checked: false,
    });
  });

  it('asks again for every address, and for no other', () => {
    expect(after({ type: 'send' }).step).toBe('choose');
    expect(after({ type: 'address', address: '10.0.0.5' }, { type: 'send' }).step).toBe('choose');
    const everywhere = { type: 'address', address: null } as const;
    expect(after(everywhere).step).toBe('choose');
    expect(after(everywhere, { type: 'send' }).step).toBe('ask');
    expect(after(everywhere, { type: 'send' }, { type: 'back' })).toMatchObject({
      step: 'choose',
      address: null,
    });
  });

  it('does not ask while a port is wrong', () => {
    const wrong = after(
      { type: 'address', address: null },
      { type: 'port', index: 1, text: '80' },
      { type: 'send' },
    );
    expect(wrong).toMatchObject({ step: 'choose', checked: true });
    expect(portsOf(wrong)).toBeNull();
  });
});

describe('the ports of an exposure', () => {
  const { first, last } = exposedPorts;

  it('lie between the bounds', () => {
    expect(portsOf({ hostPorts: [`${first}`, ` ${last} `] })).toEqual([first, last]);
    for (const text of [`${first - 1}`, `${last + 1}`, '', 'a', '21000; id', '2.1e4', '-21000'])
      expect(portProblems({ hostPorts: [text] })).toEqual([`Choose a port between ${first} and ${last}.`]);
  });

  it('differ from each other', () => {
    expect(portProblems({ hostPorts: ['21000', '21000', '21001'] })).toEqual([
      null,
      'Choose another port for each.',
      null,
    ]);
  });
});
