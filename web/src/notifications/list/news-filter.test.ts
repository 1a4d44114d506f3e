import { expect, it } from 'vitest';
import { isWithoutNews, queryOf, subjectChoices } from './news-filter.ts';

const about = '5f0c1f0e-7a43-4c0a-9c4b-0f6f6a1c2d3e';

it('asks for what the address names', () => {
  expect(queryOf({ kind: 'app.down', about, incident: about, before: '120' })).toEqual({
    kind: 'app.down',
    about,
    incident: about,
    before: '120',
  });
});

it('leaves out what is no filter, so that an address that was cut off shows news all the same', () => {
  expect(queryOf({ kind: 'app.dow', about: about.slice(1), incident: 'it', before: '-1' })).toEqual({});
});

it('shows what the filter names even when it is gone', () => {
  const subjects = [{ id: crypto.randomUUID(), of: 'server' as const, name: 'lantern' }];
  const known = subjects.map(({ id }) => [id, 'lantern and its apps']);
  expect(subjectChoices(subjects, undefined)).toEqual(known);
  expect(subjectChoices(subjects, subjects[0]?.id)).toEqual(known);
  expect(subjectChoices(subjects, about)).toEqual([...known, [about, 'Something that is gone']]);
});

it('says that there is no news only where no filter and no older page could hold any', () => {
  const none = { news: [], next: null };
  expect(isWithoutNews(none, {})).toBe(true);
  for (const [page, query] of [
    [{ news: [], next: 12 }, {}],
    [none, { about }],
    [none, { before: '12' }],
  ] as const)
    expect(isWithoutNews({ ...page, news: [...page.news] }, query)).toBe(false);
});
