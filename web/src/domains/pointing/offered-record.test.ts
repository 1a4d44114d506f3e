import type { App } from '@homeport/contract/apps/schema';
import { createElement } from 'react';
import { expect, test } from 'vitest';
import { apiQuery } from '../../data/api-query.ts';
import { shownAfterFailure } from '../../data/failed-again-fixture.ts';
import { useDomainRecord } from './DomainRecord.tsx';

const app = { id: 'a', serverName: 'Lantern' } as App;
const domain = 'shop.example.com';
const Offered = () => useDomainRecord(app, domain).offer;

test('the record that is offered stays when the domains or the records cannot be read again', () => {
  const records = apiQuery('GET /api/apps/:id/dns', { params: { id: 'a' }, query: { domain } });
  const shown = shownAfterFailure(
    [
      [apiQuery('GET /api/zones').queryKey, { linked: true, zones: [{ name: 'example.com' }] }],
      [records.queryKey, { kind: 'missing', address: '203.0.113.7' }],
    ],
    createElement(Offered),
  );
  expect(shown).toContain('Add the record at Cloudflare');
  expect(shown).not.toContain('could not be read');
});
