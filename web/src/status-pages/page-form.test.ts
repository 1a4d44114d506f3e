import { isSlug, statusPageLimits } from '@homeport/contract/status-pages/facts';
import { statusPageRoutes } from '@homeport/contract/status-pages/schema';
import { expect, test } from 'vitest';
import { emptyPageForm, type PageFormEvent, pageForm, pageFormOf, slugFrom } from './page-form.ts';
import { problemsIn } from './problems-in.ts';

const { body } = statusPageRoutes['POST /api/status-pages'];
const after = (...events: PageFormEvent[]) => events.reduce(pageForm, emptyPageForm);
const problemsOf = ({ title, slug }: { title: string; slug: string }) => problemsIn(body, { title, slug });

test('the address follows the title until it is typed, and again once it is emptied', () => {
  const followed = after({ type: 'titled', title: 'Our Services' });
  expect(followed.slug).toBe('our-services');
  const own = [
    { type: 'addressed', slug: 'quay' },
    { type: 'titled', title: 'All services' },
  ] as const;
  expect(own.reduce(pageForm, followed)).toMatchObject({ title: 'All services', slug: 'quay' });
  const emptied = [...own, { type: 'addressed', slug: '' }, { type: 'titled', title: 'Harbour' }] as const;
  expect(emptied.reduce(pageForm, followed).slug).toBe('harbour');
  expect(pageForm(pageFormOf(followed), { type: 'titled', title: 'Harbour' }).slug).toBe('our-services');
});

test('an address from any title is one, or empty', () => {
  const { most } = statusPageLimits.slugCharacters;
  const titles = ['Café — Étoile!', '  --a--  ', '港', 'x'.repeat(200), 'word '.repeat(30), '<b>&"'];
  const slugs = titles.map(slugFrom);
  expect(slugs.slice(0, 3)).toEqual(['cafe-etoile', 'a', '']);
  expect(slugs.every((slug) => slug === '' || (isSlug(slug) && slug.length <= most))).toBe(true);
  expect(slugs[3]).toHaveLength(most);
});

test('each field says what is wrong before the form is sent, in the words of the contract', () => {
  expect(problemsOf(emptyPageForm)).toEqual({
    title: 'Enter a title.',
    slug: 'An address has at least 3 characters.',
  });
  expect(problemsOf({ title: 'A', slug: 'Our Services' }).slug).toMatch(/lower-case letters/);
  expect(problemsOf({ title: 'A', slug: 'homeport-login' }).slug).toMatch(/reserved/);
  expect(problemsOf(after({ type: 'titled', title: 'Our services' }))).toEqual({});
});
