import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Session } from '@homeport/contract/identity/schema';
import { hostileAnswers } from '@homeport/stand-ins/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { avatarOrigins } from '../github/settings.ts';
import { bodyOf, password, type TestPerson, type TestVisitor } from '../http/testing.ts';
import { type GithubConsole, linkGithub, startGithubConsole } from '../testing/github.ts';
import { smallestPng } from '../testing/plant.ts';

let world: GithubConsole;
beforeAll(async () => {
  world = await startGithubConsole({ signUps: 'open' });
});
afterAll(() => world?.[Symbol.asyncDispose]());

const addressFor = async (person: TestVisitor) =>
  bodyOf<Session>(await person.call('GET /api/session'), 200).user.avatar;
const choose = (person: TestVisitor, picture = smallestPng) =>
  person.call('PUT /api/profile/avatar', { picture });
const keptOf = (person: TestPerson) =>
  world.api.store.db.selectFrom('avatars').selectAll().where('owner_id', '=', person.userId).execute();

describe('a chosen picture', () => {
  it('is served by the console with its own type, for its person only, and kept by the browser', async () => {
    const ines = await world.api.signUp('ines-chooses');
    expect(await addressFor(ines)).toBeNull();
    const { avatar } = bodyOf<{ avatar: string }>(await choose(ines), 200);
    expect(avatar).toMatch(/^\/api\/profile\/avatar\?version=[0-9a-f]{32}$/);
    expect(await addressFor(ines)).toBe(avatar);
    const answer = await ines.open(`GET ${avatar}`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=604800, immutable',
      'cross-origin-resource-policy': 'same-origin',
      'content-disposition': 'attachment; filename="picture.png"',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(smallestPng);
    const eve = await world.api.signUp('eve-chooses-none');
    expect(await eve.open(`GET ${avatar}`)).toMatchObject({ status: 404 });
    expect(await world.api.visitor().open(`GET ${avatar}`)).toMatchObject({ status: 401 });
  });

  it('is not kept by a browser under an address without its present version', async () => {
    const ines = await world.api.signUp('ines-versions');
    await choose(ines);
    for (const query of ['', `?version=${'0'.repeat(32)}`]) {
      const { headers, status } = await ines.open(`GET /api/profile/avatar${query}`);
      expect({ status, kept: headers.get('cache-control') }).toEqual({ status: 200, kept: 'no-store' });
    }
  });

  it('goes when its person removes it, and with the account', async () => {
    const ines = await world.api.signUp('ines-removes');
    await choose(ines);
    expect(bodyOf(await ines.call('DELETE /api/profile/avatar'), 200)).toEqual({ avatar: null });
    expect(await addressFor(ines)).toBeNull();
    expect(await ines.open('GET /api/profile/avatar')).toMatchObject({ status: 404 });
    await choose(ines);
    bodyOf(await ines.call('POST /api/profile/delete', { confirmation: 'delete', password }), 200);
    expect(await keptOf(ines)).toEqual([]);
  });

  it('that is none, or too large, is refused beside its field, and the earlier one stays', async () => {
    const ines = await world.api.signUp('ines-refused');
    await choose(ines);
    const before = await addressFor(ines);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
    const refused = {
      [svg]: 'This is no PNG, JPEG or WebP picture.',
      ['A'.repeat(349_529)]: 'Choose a picture of at most 256 KB.',
      '': 'Choose a picture.',
    };
    for (const [picture, told] of Object.entries(refused))
      expect(await choose(ines, picture)).toMatchObject({ status: 400, body: { fields: { picture: told } } });
    expect(await addressFor(ines)).toBe(before);
  });
});

describe('the picture of a linked GitHub account', () => {
  it('is fetched once, and then served by the console alone', async () => {
    const ines = await world.api.signUp('ines-at-github');
    bodyOf(await linkGithub(ines, await world.github.addPerson('octo-pictured')), 200);
    await world.github.forgetRequests();
    const { avatar } = bodyOf<{ avatar: string }>(
      await ines.call('POST /api/profile/avatar/from-github'),
      200,
    );
    expect(await world.github.requests()).toEqual([
      'GET /user',
      expect.stringMatching(/^GET \/avatars\/u\/\d+$/),
    ]);
    for (const address of [avatar, avatar])
      expect(await ines.open(`GET ${address}`)).toMatchObject({ status: 200 });
    expect(await world.github.requests()).toHaveLength(2);
    expect(await keptOf(ines)).toMatchObject([{ type: 'image/png', source: 'github' }]);
  });

  it('is refused without a linked account', async () => {
    const ines = await world.api.signUp('ines-unlinked');
    expect(await ines.call('POST /api/profile/avatar/from-github')).toMatchObject({
      status: 409,
      body: { message: 'No GitHub account is linked.' },
    });
  });

  it('is not kept when something else comes, and the earlier picture stays', async () => {
    const ines = await world.api.signUp('ines-hostile');
    bodyOf(await linkGithub(ines, await world.github.addPerson('octo-hostile')), 200);
    await choose(ines);
    const before = await addressFor(ines);
    for (const kind of hostileAnswers) {
      await world.github.answerBadly('GET /avatars/', kind);
      const { status, body } = await ines.call('POST /api/profile/avatar/from-github');
      expect({ kind, status, body }).toMatchObject({
        status: 503,
        body: { message: expect.stringContaining('GitHub did not hand your picture over.') },
      });
    }
    await world.github.answerWell();
    expect(await addressFor(ines)).toBe(before);
  });

  it('is not asked for at an address that is none of GitHub’s', async () => {
    let asked = 0;
    const elsewhere = createServer((_request, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening));
    const { port } = elsewhere.address() as AddressInfo;
    const octo = await world.github.addPerson('octo-elsewhere');
    const ines = await world.api.signUp('ines-elsewhere');
    bodyOf(await linkGithub(ines, octo), 200);
    const { host } = new URL(world.github.url);
    const addresses = [
      `http://127.0.0.1:${port}/u/1`,
      `https://${host}/u/1`,
      `http://${host}@127.0.0.1:${port}/`,
    ];
    for (const avatarUrl of [...addresses, 'file:///etc/hostname']) {
      await world.github.changePerson(octo.id, { avatarUrl });
      expect(await ines.call('POST /api/profile/avatar/from-github')).toMatchObject({ status: 503 });
    }
    expect(asked).toBe(0);
    expect(await keptOf(ines)).toEqual([]);
    await new Promise((closed) => elsewhere.close(closed));
  });

  it('lies at a host of github.com’s own, or at the GitHub server that the console works with', () => {
    expect(avatarOrigins({ site: 'https://github.com' })).toEqual(['https://avatars.githubusercontent.com']);
    expect(avatarOrigins({ site: 'https://github.example.com' })).toEqual([
      'https://github.example.com',
      'https://avatars.github.example.com',
    ]);
  });
});
