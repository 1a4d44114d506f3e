import type { FoundApp } from '@homeport/contract/servers/import-schema';
import { expect, test } from 'vitest';
import { asking, type Offer, type OfferEvent, offerAfter } from './import-offer.ts';

const app = (longname: string): FoundApp => ({
  longname,
  state: 'running',
  memoryMb: null,
  cpus: null,
  plan: null,
  domains: [],
  source: null,
  pushers: null,
});
const found: OfferEvent = { type: 'found', longnames: ['alpha', 'beta'], left: 0, keys: [] };
const after = (...events: OfferEvent[]): Offer => events.reduce(offerAfter, asking);

test('the apps are there at once, and what each has follows', () => {
  const offer = after(found, { type: 'app', app: app('beta') });
  expect(offer).toMatchObject({ kind: 'found', stopped: false });
  expect(offer.kind === 'found' && [...offer.apps]).toEqual([
    ['alpha', null],
    ['beta', app('beta')],
  ]);
});

test('a look that ended early says so, and the second look keeps what was read', () => {
  const ended = after(found, { type: 'app', app: app('alpha') }, { type: 'ended', error: null });
  expect(ended).toMatchObject({ kind: 'found', stopped: true });
  const again = offerAfter(offerAfter(ended, { type: 'again' }), found);
  expect(again.kind === 'found' && again.apps.get('alpha')).toEqual(app('alpha'));
  const unreadable = offerAfter(again, { type: 'unreadable', longname: 'beta', reason: 'no answer' });
  expect(offerAfter(unreadable, { type: 'ended', error: null })).toMatchObject({ stopped: false });
});

test('a look that never began failed, with its reason', () => {
  const error = new Error('no');
  expect(after({ type: 'ended', error })).toEqual({ kind: 'failed', error });
  expect(after({ type: 'ended', error }, { type: 'again' })).toEqual(asking);
});
