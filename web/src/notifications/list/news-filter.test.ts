import { expect, it } from 'vitest';
import { queryOf } from './news-filter.ts';

const about = '5f0c1f0e-7a43-4c0a-9c4b-0f6f6a1c2d3e';

it('asks for what the address names', () => {
  expect(queryOf({ kind: 'app.down', about, before: '120' })).toEqual({
    kind: 'app.down',
    about,
    before: '120',
  });
});

it('leaves out what is no filter, so that an address that was cut off shows news all the same', () => {
  expect(queryOf({ kind: 'app.dow', about: about.slice(1), before: '-1' })).toEqual({});
});
