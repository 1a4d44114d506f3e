import { type StatusComponent, statusPageRoutes } from '@homeport/contract/status-pages/schema';
import { expect, test } from 'vitest';
import { problemsIn } from '../problems-in.ts';
import {
  type ComponentsForm,
  type ComponentsFormEvent,
  componentsForm,
  inGroups,
} from './components-form.ts';

const [shop, blog, mail] = [
  '0190a000-0000-7000-8000-000000000001',
  '0190a000-0000-7000-8000-000000000002',
  '0190a000-0000-7000-8000-000000000003',
] as const;
const row = (target: string, name: string, group = ''): StatusComponent => ({
  ...{ kind: 'app' as const, target, name, group },
});
const both: ComponentsForm = { rows: [row(shop, 'Shop'), row(blog, 'Blog')], sent: true };
const after = (form: ComponentsForm, ...events: ComponentsFormEvent[]) => events.reduce(componentsForm, form);
const names = ({ rows }: ComponentsForm) => rows.map(({ name }) => name);

test('an app comes without a name, once, and the form says that one is missing', () => {
  const added = after(
    both,
    { type: 'added', kind: 'app', target: mail },
    { type: 'added', kind: 'app', target: mail },
  );
  expect(names(added)).toEqual(['Shop', 'Blog', '']);
  expect(added.sent).toBe(false);
  const { body } = statusPageRoutes['PATCH /api/status-pages/:id'];
  const problemsOf = ({ rows }: ComponentsForm) => problemsIn(body, { version: 1, components: rows });
  expect(problemsOf(added)).toEqual({ 'components.2.name': 'Enter a name.' });
  expect(problemsOf(after(added, { type: 'typed', target: mail, field: 'name', value: 'Mail' }))).toEqual({});
});

test('a row moves by one place, and neither over the first nor over the last', () => {
  expect(names(after(both, { type: 'moved', target: blog, by: -1 }))).toEqual(['Blog', 'Shop']);
  expect(names(after(both, { type: 'moved', target: shop, by: 1 }))).toEqual(['Blog', 'Shop']);
  expect(after(both, { type: 'moved', target: shop, by: -1 })).toBe(both);
  expect(after(both, { type: 'moved', target: blog, by: 1 })).toBe(both);
  expect(after(both, { type: 'moved', target: mail, by: 1 })).toBe(both);
  expect(names(after(both, { type: 'removed', target: shop }))).toEqual(['Blog']);
});

test('groups stand where their first component stands, after what has none', () => {
  const rows = [row(shop, 'Shop', 'Sales'), row(blog, 'Blog'), row(mail, 'Mail', 'Sales')];
  expect(inGroups(rows).map(([group, members]) => [group, members.map(({ name }) => name)])).toEqual([
    ['', ['Blog']],
    ['Sales', ['Shop', 'Mail']],
  ]);
  expect(inGroups([])).toEqual([]);
});
