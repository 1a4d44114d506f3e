import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf, password, type TestPerson } from '../http/testing.ts';
import { type GithubConsole, linkGithub, startGithubConsole } from '../testing/github.ts';
import { plantApp, plantServer } from '../testing/plant.ts';

let world: GithubConsole;
beforeAll(async () => {
  world = await startGithubConsole({ signUps: 'open' });
});
afterAll(() => world?.[Symbol.asyncDispose]());

const title = 'Homeport: shop';
let leaving: TestPerson;
/** `owner/name` */
let repositories: string[];
let round = 0;

const keysOf = async (repository: string) => (await world.github.readRepository(repository)).deployKeys;
const grants = async () => (await world.github.grants()).map(({ login }) => login);
const deleteAccount = (given = password) =>
  leaving.call('POST /api/profile/delete', { confirmation: 'delete', password: given });

/** A person with an app that GitHub holds a deploy key for, in each of two repositories. */
beforeEach(async () => {
  const { api, github } = world;
  round += 1;
  leaving = await api.signUp(`leaving-${round}`);
  const person = await github.addPerson(`leaver-${round}`);
  const { login } = person;
  bodyOf(await linkGithub(leaving, person), 200);
  const server = await plantServer(api.store.db, leaving.userId);
  repositories = ['shop', 'mill'].map((name) => `${login}/${name}`);
  for (const [index, repository] of repositories.entries()) {
    await github.addRepository({ owner: login, name: repository.split('/')[1] ?? '', private: true });
    const id = round * 10 + index;
    const key = `ssh-ed25519 ${'A'.repeat(60)}${id}`;
    await github.setDeployKeys(repository, [{ id, title, key, readOnly: true }]);
    const { id: app_id } = await plantApp(api.store.db, leaving.userId, server.id);
    const row = { app_id, owner_id: leaving.userId, repository, title, public_key: key, github_id: id };
    await api.store.db
      .insertInto('deploy_keys')
      .values({ ...row, created_at: Date.now() })
      .execute();
  }
});

describe('a deleted account', () => {
  it('takes its deploy keys away at GitHub, and ends its grant there', async () => {
    expect(await grants()).toContain(`leaver-${round}`);
    expect(bodyOf(await deleteAccount(), 200)).toEqual({ deleted: true });
    for (const repository of repositories) expect(await keysOf(repository)).toEqual([]);
    expect(await grants()).not.toContain(`leaver-${round}`);
  });

  it('takes away a deploy key whose number GitHub’s lost answer had', async () => {
    await world.api.store.db.updateTable('deploy_keys').set({ github_id: null }).execute();
    expect(bodyOf(await deleteAccount(), 200)).toEqual({ deleted: true });
    for (const repository of repositories) expect(await keysOf(repository)).toEqual([]);
  });

  it('goes all the same when GitHub keeps a key, and the other key and the grant go', async () => {
    const [kept = '', other = ''] = repositories;
    await world.github.answerBadly(`DELETE /repos/${kept}/keys`, 'html');
    expect(bodyOf(await deleteAccount(), 200)).toEqual({ deleted: true });
    await world.github.answerWell();
    expect(await keysOf(kept)).toHaveLength(1);
    expect(await keysOf(other)).toEqual([]);
    expect(await grants()).not.toContain(`leaver-${round}`);
  });

  it('leaves all at GitHub as it was when the deletion is refused', async () => {
    expect((await deleteAccount('not the one')).status).toBe(400);
    for (const repository of repositories) expect(await keysOf(repository)).toHaveLength(1);
    expect(await grants()).toContain(`leaver-${round}`);
  });
});
