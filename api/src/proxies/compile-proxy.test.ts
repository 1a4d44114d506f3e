import { ownerFromSession } from '@homeport/store';
import { expect, it } from 'vitest';
import type { ProxyRow } from '../records/proxy-record.ts';
import { plantedRule } from '../testing/plant.ts';
import { checkProxy } from './compile-proxy.ts';
import { toProxy } from './rule-warnings.ts';
import { type RuleWorkEnd, RuleWorkError } from './rule-worker/rule-work.ts';

const owner = ownerFromSession('ada');
const failing = (end: RuleWorkEnd) => ({
  work: { run: () => Promise.reject(new RuleWorkError(end, 'too much')) },
});
const rule = { ...plantedRule('r'), type: 'subdirectory' as const, pathRewriteSrc: '^/a+' };
const definition = { id: 'p', domain: 'quay.test', source: 'https://a.test', records: [rule] };

it.each(['time', 'memory'] as const)(
  'says that the pattern of the edited rule takes too long, beside its field, where its job ends by %s',
  async (end) => {
    await expect(
      checkProxy(failing(end), owner, { definition, urls: [], edited: 'r' }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('This pattern takes too long.'),
      details: { fields: { pathRewriteSrc: expect.stringContaining('takes too long') } },
    });
    await expect(checkProxy(failing(end), owner, { definition, urls: ['/'] })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('The patterns of these rules take too long.'),
    });
  },
);

it('blames nobody’s rules for a thread that ended by itself', async () => {
  await expect(
    checkProxy(failing('ended'), owner, { definition, urls: [], edited: 'r' }),
  ).rejects.toMatchObject({ code: 'unavailable' });
});

it('shows a proxy whose rules take too long, and says so in place of the warnings', async () => {
  const door = { proxyHost: null, address: '127.0.0.1', urlOf: String, asksPrivate: true };
  const shown = await toProxy({ ...failing('time'), door }, owner, row);
  expect(shown.rules).toEqual([rule]);
  expect(shown.warnings).toEqual([{ rule: null, text: expect.stringContaining('takes too long') }]);
});

const row: ProxyRow = {
  ...{ id: 'p', owner_id: owner, name: 'quay', domain: 'quay.test', subdomain: '', proof: '' },
  ...{
    source: 'https://a.test',
    records: [rule],
    saved_urls: [],
    created_at: 0,
    version: 1,
    edit_version: 1,
  },
  ...{ holds: true, owned: 'txt', pointing: 'yes', allowed: true, granted_at: null, found: {} },
  ...{ checked_at: null, check_due_at: 0, check_version: 1, failures: 0, failing_since: null, refusal: null },
  ...{ failing_rules: {}, certificate: null, unserved_at: null, rule_count: 1, rule_bytes: 1, url_bytes: 2 },
};
