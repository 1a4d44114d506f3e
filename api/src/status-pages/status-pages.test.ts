import { randomUUID } from 'node:crypto';
import { statusPageLimits, statusPageRules } from '@homeport/contract/status-pages/facts';
import type { OperatedStatusPage, StatusPage } from '@homeport/contract/status-pages/schema';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { type Planted, plantOneOfEach } from '../testing/plant.ts';

const dayMs = 86_400_000;
let api: TestApi;
let now = Date.now();
let ada: TestPerson;
let eve: TestPerson;
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' }, { clock: () => now });
  ada = await api.signUp('ada');
  eve = await api.signUp('eve');
});
afterAll(() => api?.[Symbol.asyncDispose]());

afterEach(() => api.store.db.deleteFrom('status_pages').execute());

const slug = () => `page-${randomUUID().slice(0, 8)}`;
const add = async (person: TestPerson, body = { slug: slug(), title: 'Services' }) =>
  bodyOf<StatusPage>(await person.call('POST /api/status-pages', body), 201);
const change = (person: TestPerson, { id, version }: StatusPage, edit: object) =>
  person.call(`PATCH /api/status-pages/${id}`, { version, ...edit });
const write = (person: TestPerson, { id }: StatusPage, post: object = {}) =>
  person.call(`POST /api/status-pages/${id}/posts`, {
    ...{ kind: 'incident', title: 'Slow', state: 'investigating', text: 'We look.', ...post },
  });
const wrong = (field: string) => ({
  status: 400,
  body: { code: 'invalid_input', fields: { [field]: expect.any(String) } },
});
const taken = { status: 409, body: { code: 'conflict', fields: { slug: expect.any(String) } } };
const ofTarget = (kind: 'app' | 'proxy', target: string, name = 'Shop') => ({
  kind,
  target,
  name,
  group: '',
});

describe('a page', () => {
  test('begins hidden and empty, and keeps its components in their order', async () => {
    const things = await plantOneOfEach(api.store.db, ada.userId);
    const page = await add(ada);
    expect(page).toMatchObject({ published: false, components: [], posts: [], version: 1 });
    const components = [
      ofTarget('proxy', things.proxies, 'Site'),
      { ...ofTarget('app', things.apps), group: 'Behind' },
    ];
    const changed = bodyOf<StatusPage>(await change(ada, page, { components, published: true }), 200);
    expect(changed).toMatchObject({ components, published: true, version: 2 });
    expect(await change(ada, page, { title: 'Late' })).toMatchObject({
      status: 409,
      body: { code: 'stale_edit', current: { version: 2 } },
    });
  });

  test('has an address that nobody else has, also when two ask at once', async () => {
    const body = { slug: slug(), title: 'Services' };
    const answers = await Promise.all([
      ada.call('POST /api/status-pages', body),
      eve.call('POST /api/status-pages', body),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject(taken);
    const other = await add(eve);
    expect(await change(eve, other, { slug: body.slug })).toMatchObject(taken);
  });

  test.each(['ab', 'a'.repeat(41), 'Shop', 'a b', '-a-b', 'a--b', 'api', 'homeport', 'style.css'])(
    'refuses the address %s',
    async (bad) => {
      expect(await ada.call('POST /api/status-pages', { slug: bad, title: 'Services' })).toMatchObject(
        wrong('slug'),
      );
    },
  );

  test('shows nobody else’s apps and domains', async () => {
    const hers = await plantOneOfEach(api.store.db, ada.userId);
    const page = await add(eve);
    for (const component of [
      ofTarget('app', hers.apps),
      ofTarget('proxy', hers.proxies),
      ofTarget('app', randomUUID()),
    ])
      expect(await change(eve, page, { components: [component] })).toMatchObject(
        wrong('components.0.target'),
      );
    expect(bodyOf<StatusPage>(await eve.call(`GET /api/status-pages/${page.id}`), 200).components).toEqual(
      [],
    );
  });

  test('takes an app once', async () => {
    const { apps } = await plantOneOfEach(api.store.db, ada.userId);
    const twice = [ofTarget('app', apps), ofTarget('app', apps, 'Again')];
    expect((await change(ada, await add(ada), { components: twice })).status).toBe(400);
  });

  test('loses what was rendered when it is hidden', async () => {
    const page = await add(ada);
    await change(ada, page, { published: true });
    const bytes = Buffer.from('a');
    await api.store.db
      .insertInto('status_renders')
      .values({ page_id: page.id, file: 'page', body: bytes, gzip: bytes, etag: '"a"' })
      .execute();
    bodyOf(await change(ada, { ...page, version: 2 }, { published: false }), 200);
    const left = await api.store.db
      .selectFrom('status_renders')
      .where('page_id', '=', page.id)
      .selectAll()
      .execute();
    expect(left).toEqual([]);
  });

  test('goes with what was written on it', async () => {
    const page = await add(ada);
    bodyOf(await write(ada, page), 201);
    expect(await ada.call(`DELETE /api/status-pages/${page.id}`)).toMatchObject({
      status: 200,
      body: { removed: true },
    });
    expect((await ada.call(`GET /api/status-pages/${page.id}`)).status).toBe(404);
    const left = await api.store.db
      .selectFrom('status_posts')
      .where('page_id', '=', page.id)
      .selectAll()
      .execute();
    expect(left).toEqual([]);
  });
});

describe('an address at which a page was', () => {
  const rendered = (id: string) =>
    api.store.db.updateTable('status_pages').set({ was_readable: true }).where('id', '=', id).execute();
  const freed = {
    status: 409,
    body: { code: 'conflict', fields: { slug: expect.stringContaining('until lately') } },
  };

  test('is nobody else’s for some time, and its person may take it again', async () => {
    const [gone, moved] = [await add(ada), await add(ada)];
    for (const { id } of [gone, moved]) await rendered(id);
    await ada.call(`DELETE /api/status-pages/${gone.id}`);
    bodyOf(await change(ada, moved, { slug: slug() }), 200);
    const other = await add(eve);
    for (const address of [gone.slug, moved.slug]) {
      expect(await eve.call('POST /api/status-pages', { slug: address, title: 'A' })).toMatchObject(freed);
      expect(await change(eve, other, { slug: address })).toMatchObject(freed);
    }
    bodyOf(await ada.call('POST /api/status-pages', { slug: gone.slug, title: 'Back' }), 201);
    now = Date.now() + statusPageRules.freedDays * dayMs;
    try {
      bodyOf(await change(eve, other, { slug: moved.slug }), 200);
    } finally {
      now = Date.now();
    }
  });

  test('is free at once where nobody saw a page', async () => {
    const page = await add(ada);
    await ada.call(`DELETE /api/status-pages/${page.id}`);
    await add(eve, { slug: page.slug, title: 'A' });
  });

  test('is free again where the page only passed through it', async () => {
    const page = await add(ada);
    await rendered(page.id);
    const passed = slug();
    const moved = bodyOf<StatusPage>(await change(ada, page, { slug: passed }), 200);
    bodyOf(await change(ada, moved, { slug: slug() }), 200);
    await add(eve, { slug: passed, title: 'A' });
  });

  test('is nobody’s once the account is gone, and does not name it', async () => {
    const bea = await api.signUp('bea');
    const [gone, left] = [await add(bea), await add(bea)];
    for (const { id } of [gone, left]) await rendered(id);
    await bea.call(`DELETE /api/status-pages/${left.id}`);
    await api.store.db.deleteFrom('auth.user').where('id', '=', bea.userId).execute();
    const rows = await api.store.db
      .selectFrom('freed_status_addresses')
      .select('owner_id')
      .where('slug', 'in', [gone.slug, left.slug])
      .execute();
    expect(rows).toEqual([{ owner_id: null }, { owner_id: null }]);
    expect(await eve.call('POST /api/status-pages', { slug: gone.slug, title: 'A' })).toMatchObject(freed);
  });

  test('one more than the share frees the oldest', async () => {
    const page = await add(ada);
    await rendered(page.id);
    const addresses = Array.from({ length: statusPageLimits.freedAddresses + 1 }, slug);
    for (const address of addresses)
      await api.store.db
        .updateTable('status_pages')
        .set({ slug: address, was_readable: true })
        .where('id', '=', page.id)
        .execute();
    // The first address of all was freed first.
    await add(eve, { slug: page.slug, title: 'A' });
    expect(await eve.call('POST /api/status-pages', { slug: addresses[0], title: 'A' })).toMatchObject(freed);
  });
});

describe('the operator', () => {
  const takeDown = (page: { id: string }, reason: string | null) =>
    ada.call(`PUT /api/console/status-pages/${page.id}/taken-down`, { reason });
  const listed = async (search = '') =>
    bodyOf<{ served: boolean; pages: OperatedStatusPage[]; more: boolean }>(
      await ada.call(`GET /api/console/status-pages?${new URLSearchParams({ search })}`),
      200,
    );

  test('takes a page down with a reason, and its person cannot publish it until it is allowed again', async () => {
    const page = bodyOf<StatusPage>(await change(eve, await add(eve), { published: true }), 200);
    const bytes = Buffer.from('a');
    await api.store.db
      .insertInto('status_renders')
      .values({ page_id: page.id, file: 'page', body: bytes, gzip: bytes, etag: '"a"' })
      .execute();
    const down = { id: page.id, published: false, takenDown: 'It copies a bank.' };
    expect(await takeDown(page, 'It copies a bank.')).toMatchObject({ status: 200, body: down });
    expect(await api.store.db.selectFrom('status_renders').selectAll().execute()).toEqual([]);
    // An edit from before is stale, so that no open dialog publishes it again.
    expect(await change(eve, page, { published: true })).toMatchObject({ body: { code: 'stale_edit' } });
    const hers = bodyOf<StatusPage>(await eve.call(`GET /api/status-pages/${page.id}`), 200);
    expect(hers).toMatchObject(down);
    expect(await change(eve, hers, { published: true })).toMatchObject({
      status: 403,
      body: { code: 'not_allowed', message: expect.stringContaining('It copies a bank.') },
    });
    // It keeps its address, too: each one that it left would be nobody’s.
    expect(await change(eve, hers, { slug: slug() })).toMatchObject({ status: 403 });
    bodyOf(await change(eve, hers, { slug: hers.slug, title: 'Another title' }), 200);
    bodyOf(await takeDown(page, null), 200);
    const allowed = bodyOf<StatusPage>(await eve.call(`GET /api/status-pages/${page.id}`), 200);
    expect(allowed).toMatchObject({ published: false, takenDown: null });
    bodyOf(await change(eve, allowed, { published: true }), 200);
  });

  test('leaves the address of such a page to nobody, also not to who wrote it', async () => {
    const page = await add(eve);
    await takeDown(page, 'It copies a bank.');
    await eve.call(`DELETE /api/status-pages/${page.id}`);
    for (const person of [ada, eve])
      expect(await person.call('POST /api/status-pages', { slug: page.slug, title: 'A' })).toMatchObject({
        ...{ status: 409, body: { code: 'conflict' } },
      });
  });

  test('finds published pages of everybody by address or title, and no hidden one', async () => {
    const address = slug();
    const page = await add(eve, { slug: address, title: 'Harbour %' });
    expect(await listed()).toMatchObject({ pages: [], more: false });
    bodyOf(await change(eve, page, { published: true }), 200);
    const found = { id: page.id, slug: address, title: 'Harbour %', published: true, takenDown: null };
    for (const search of ['', address.toUpperCase(), 'harbour %'])
      expect(await listed(search)).toMatchObject({ pages: [{ ...found, person: eve.email }], more: false });
    expect((await listed('%b')).pages).toEqual([]);
  });

  test('reads no more at once than the share, and is told of more', async () => {
    const most = statusPageLimits.listedForOperator;
    const { db } = api.store;
    const pages = Array.from({ length: most + 1 }, () => ({
      ...{ owner_id: eve.userId, slug: slug(), title: 'A', published: true, created_at: 1 },
    }));
    await db.insertInto('status_pages').values(pages).execute();
    const { pages: shown, more } = await listed();
    expect([shown.length, more]).toEqual([most, true]);
  });
});

describe('what is written on a page', () => {
  test('is an incident with updates, the newest first, until it is removed', async () => {
    const page = await add(ada);
    const { posts } = bodyOf<StatusPage>(await write(ada, page), 201);
    const postId = posts[0]?.id;
    const update = { postId, state: 'resolved', text: 'Over.\r\n\r\nSee https://example.com' };
    const after = bodyOf<StatusPage>(
      await ada.call(`POST /api/status-pages/${page.id}/updates`, update),
      201,
    );
    expect(after.posts[0]?.updates).toMatchObject([
      { state: 'resolved', text: 'Over.\n\nSee https://example.com' },
      { state: 'investigating', text: 'We look.' },
    ]);
    expect(
      await ada.call(`POST /api/status-pages/${page.id}/updates`, { postId, text: 'No state.' }),
    ).toMatchObject(wrong('state'));
    const removed = await ada.call(`POST /api/status-pages/${page.id}/remove-post`, { postId });
    expect(bodyOf<StatusPage>(removed, 200).posts).toEqual([]);
  });

  test('belongs to its page: another page of the same person does not find it', async () => {
    const { posts } = bodyOf<StatusPage>(await write(ada, await add(ada)), 201);
    const other = await add(ada);
    const postId = posts[0]?.id;
    for (const [verb, body] of [
      ['updates', { postId, state: 'resolved', text: 'Over.' }],
      ['remove-post', { postId }],
    ] as const)
      expect((await ada.call(`POST /api/status-pages/${other.id}/${verb}`, body)).status).toBe(404);
  });

  test('is a maintenance within its bounds, which has no state', async () => {
    now = Date.now();
    const things: Planted = await plantOneOfEach(api.store.db, ada.userId);
    const page = bodyOf<StatusPage>(
      await change(ada, await add(ada), { components: [ofTarget('app', things.apps)] }),
      200,
    );
    const plan = (startsAt: number, endsAt: number, affects: string[] = []) =>
      ada.call(`POST /api/status-pages/${page.id}/posts`, {
        ...{ kind: 'maintenance', title: 'Disks', text: 'New ones.', affects },
        ...{ startsAt: new Date(startsAt).toISOString(), endsAt: new Date(endsAt).toISOString() },
      });
    const { maintenanceDays, aheadDays } = statusPageLimits;
    const starts = now + aheadDays * dayMs;
    expect(await plan(starts + 1, starts + 2)).toMatchObject(wrong('startsAt'));
    expect(await plan(now - 60_001, now + 1)).toMatchObject(wrong('startsAt'));
    expect(await plan(now - 2, now)).toMatchObject(wrong('endsAt'));
    expect(await plan(now + 2, now + 2)).toMatchObject(wrong('endsAt'));
    expect(await plan(starts, starts + maintenanceDays * dayMs + 1)).toMatchObject(wrong('endsAt'));
    expect(await plan(starts, starts + 1, [randomUUID()])).toMatchObject(wrong('affects'));
    const good = await plan(starts, starts + maintenanceDays * dayMs, [things.apps]);
    const [post] = bodyOf<StatusPage>(good, 201).posts;
    expect(post).toMatchObject({ kind: 'maintenance', affects: [things.apps], updates: [{ state: null }] });
    const update = { postId: post?.id, state: 'resolved', text: 'Over.' };
    expect(await ada.call(`POST /api/status-pages/${page.id}/updates`, update)).toMatchObject(wrong('state'));
  });

  test('refuses a text that hides something, and takes one of the longest length', async () => {
    const page = await add(ada);
    expect((await write(ada, page, { text: 'safe\u202eetxt' })).status).toBe(400);
    expect((await write(ada, page, { text: 'a'.repeat(statusPageLimits.textCharacters + 1) })).status).toBe(
      400,
    );
    expect((await write(ada, page, { text: 'a'.repeat(statusPageLimits.textCharacters) })).status).toBe(201);
  });
});

describe('at the edge of a share', () => {
  test('one page more is refused, also of requests that come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: statusPageLimits.pages + 3 }, () =>
        ada.call('POST /api/status-pages', { slug: slug(), title: 'Services' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(statusPageLimits.pages);
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({ body: { code: 'limit_reached' } });
  });

  test('one component more is refused', async () => {
    const page = await add(ada);
    const some = (length: number) => Array.from({ length }, () => ofTarget('app', randomUUID()));
    // Of the longest list the first unknown app is named, so the list itself is not too long.
    expect(await change(ada, page, { components: some(statusPageLimits.components) })).toMatchObject(
      wrong('components.0.target'),
    );
    expect(await change(ada, page, { components: some(statusPageLimits.components + 1) })).toMatchObject(
      wrong('components'),
    );
  });

  test('one post more, and one update more of all posts together, are refused', async () => {
    const page = await add(ada);
    const { db } = api.store;
    const posts = Array.from({ length: statusPageLimits.posts - 1 }, () => ({
      ...{ page_id: page.id, kind: 'incident' as const, title: 'Old', created_at: 1 },
    }));
    const [old] = await db.insertInto('status_posts').values(posts).returning('id').execute();
    const both = await Promise.all([write(ada, page), write(ada, page)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const updates = Array.from({ length: statusPageLimits.updates - 2 }, () => ({
      ...{ post_id: old?.id ?? '', state: 'watching' as const, text: 'a', at: 1 },
    }));
    await db.insertInto('status_updates').values(updates).execute();
    const update = () =>
      ada.call(`POST /api/status-pages/${page.id}/updates`, {
        postId: old?.id,
        state: 'resolved',
        text: 'b',
      });
    expect((await update()).status).toBe(201);
    expect(await update()).toMatchObject({ status: 409, body: { code: 'limit_reached' } });
  });
});

test('each change is told to the pages of its person', async () => {
  const heard: { id: string | null }[] = [];
  const stop = await api.store.listener.on('changed', (change) => heard.push(change));
  const page = await add(ada);
  const { posts } = bodyOf<StatusPage>(await write(ada, page), 201);
  const postId = posts[0]?.id;
  const update = { postId, state: 'resolved', text: 'Over.' };
  bodyOf(await ada.call(`POST /api/status-pages/${page.id}/updates`, update), 201);
  bodyOf(await ada.call(`POST /api/status-pages/${page.id}/remove-post`, { postId }), 200);
  const change = { owner: ada.userId, topic: 'status-pages', id: page.id };
  // Those of earlier pages may come late.
  await expect.poll(() => heard.filter(({ id }) => id === page.id)).toEqual([change, change, change, change]);
  await stop();
});

test('a console whose operator switched pages off takes no edit, shows what is there and lets it be removed', async () => {
  await using other = await startTestApi({ statusPages: false });
  const ada = await other.signUp('ada');
  const planted = await plantOneOfEach(other.store.db, ada.userId);
  const id = planted['status-pages'];
  expect(bodyOf(await ada.call('GET /api/status-pages'), 200)).toMatchObject({
    ...{ served: false, pages: [{ id, published: true }] },
  });
  const page = bodyOf<StatusPage>(await ada.call(`GET /api/status-pages/${id}`), 200);
  const update = { postId: planted.posts, state: 'resolved', text: 'Over.' };
  for (const answer of [
    await ada.call('POST /api/status-pages', { slug: slug(), title: 'Services' }),
    await change(ada, page, { title: 'Other' }),
    await write(ada, page),
    await ada.call(`POST /api/status-pages/${id}/updates`, update),
  ])
    expect(answer).toMatchObject({
      status: 403,
      body: {
        code: 'not_allowed',
        message: 'Status pages are switched off by the operator of this console.',
      },
    });
  expect(bodyOf(await ada.call(`GET /api/status-pages/${id}`), 200)).toEqual(page);
  bodyOf(await ada.call(`POST /api/status-pages/${id}/remove-post`, { postId: planted.posts }), 200);
  bodyOf(await ada.call(`DELETE /api/status-pages/${id}`), 200);
});

test('a text with a link to the console itself is refused, on whatever port', async () => {
  const page = await add(ada);
  const { hostname } = new URL(api.url);
  for (const address of [api.url, `https://${hostname}:8443/sign-in.`, `http://${hostname.toUpperCase()}`])
    expect(await write(ada, page, { text: `Sign in again:\n${address}` })).toMatchObject(wrong('text'));
  const { posts } = bodyOf<StatusPage>(
    await write(ada, page, { text: `See https://${hostname}.example` }),
    201,
  );
  const update = { postId: posts[0]?.id, state: 'resolved', text: `Go to ${api.url}/status` };
  expect(await ada.call(`POST /api/status-pages/${page.id}/updates`, update)).toMatchObject(wrong('text'));
});
