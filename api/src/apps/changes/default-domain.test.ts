import { ownerFromSession } from '@homeport/store';
import { expect, test } from 'vitest';
import type { StepContext } from '../../operations/definition.ts';
import type { Looked } from '../../remote/server-addresses.ts';
import { findDefaultDomain, sayNoDefaultDomain } from './default-domain.ts';

const own: Looked = { kind: 'found', addresses: ['203.0.113.7'] };
const server = { ip: 'vps.example.net', port: 22, subdomain: 'lantern' };

/** A creation whose DNS answers so, one answer for each try. */
function creation(...answers: Looked[]) {
  const facts: Record<string, unknown> = {};
  let asked = 0;
  const addresses = {
    of: async () => own,
    async ofEach() {
      asked += 1;
      return [answers.shift() ?? own, own];
    },
  };
  const context: Pick<StepContext<{ longname: string }>, 'owner' | 'input' | 'facts' | 'remember'> = {
    ...{ owner: ownerFromSession('ines'), input: { longname: 'ledger-ab12cd' }, facts },
    remember: async (more) => void Object.assign(facts, more),
  };
  return {
    asked: () => asked,
    find: (of = server) =>
      findDefaultDomain({ addresses, appDomain: null }, context as StepContext<{ longname: string }>, of),
  };
}

test('a server with an address has its default domain without a question', async () => {
  const { find, asked } = creation();
  expect(await find({ ...server, ip: '203.0.113.7' })).toEqual({
    domain: 'ledger-ab12cd.203.0.113.7.sslip.io',
  });
  expect(asked()).toBe(0);
});

test.each([
  [own, { domain: 'ledger-ab12cd.vps.example.net' }],
  [{ kind: 'none' } as const, { domain: null, why: 'leads_elsewhere' }],
])('what DNS said of the name beneath a server’s holds for the whole creation', async (answer, found) => {
  const { find, asked } = creation(answer);
  expect([await find(), await find()]).toEqual([found, found]);
  expect(asked()).toBe(1);
});

test('silence of DNS is asked again', async () => {
  const { find, asked } = creation({ kind: 'unknown' });
  expect(await find()).toEqual({ domain: null, why: 'not_known' });
  expect(await find()).toEqual({ domain: 'ledger-ab12cd.vps.example.net' });
  expect(asked()).toBe(2);
});

test('a name may be so long that no app’s name fits before it', async () => {
  const { find } = creation();
  // With the app’s name and its dot 253 characters, the most that a name may have.
  const fitting = `${'a'.repeat(253 - 'ledger-ab12cd.'.length - '.net'.length)}.net`;
  expect(await find({ ...server, ip: fitting })).toEqual({ domain: `ledger-ab12cd.${fitting}` });
  expect(await find({ ...server, ip: `a${fitting}` })).toEqual({ domain: null, why: 'too_long' });
  expect(sayNoDefaultDomain('too_long', server, null, [])).toContain('leaves no room');
});
