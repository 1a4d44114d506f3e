import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyLogin, makeKey, type Sshd, signerFor, startSshd } from '../testing/index.ts';
import {
  type Clock,
  CommandError,
  type ConnectionLife,
  ConnectionPool,
  OpeningError,
  openConnection,
} from './index.ts';

const key = makeKey('ed25519');
let sshd: Sshd;
let pool: ConnectionPool;
let openings: number;

beforeAll(async () => {
  sshd = await startSshd({ authorizedKeys: [key.publicKeyLine] });
});
afterAll(() => sshd.dispose());
beforeEach(() => {
  pool = new ConnectionPool();
  openings = 0;
});
afterEach(() => pool.dispose());

const opener = (signal: AbortSignal, life: ConnectionLife = {}) => {
  openings += 1;
  return openConnection(keyLogin(sshd, signerFor(key.privateKeyPem), { signal, life }));
};

/** A clock that stands still. `expireNow` fires the timer of the connection's age. */
let expireNow = () => {};
const clock: Clock = {
  now: () => 0,
  after(ms, then) {
    if (ms === 3_600_000) expireNow = then;
    return () => {};
  },
};

const ada = { owner: 'ada', sessionId: 'ada', serverId: 'one' };

describe('ConnectionPool', () => {
  it('opens one connection for callers at the same time and for later callers', async () => {
    const [first, second] = await Promise.all([pool.open(ada, opener), pool.open(ada, opener)]);
    expect(second).toBe(first);
    expect(await pool.open(ada, opener)).toBe(first);
    expect(openings).toBe(1);
  });

  it('keeps sessions, servers and accounts apart', async () => {
    const connection = await pool.open({ ...ada, user: 'root' }, opener);
    expect(pool.get(ada)).toBe(connection);
    expect(pool.get({ ...ada, user: 'root' })).toBe(connection);
    for (const other of [
      { ...ada, user: 'homeport' },
      { ...ada, owner: 'bob' },
      { ...ada, sessionId: 'bob' },
      { ...ada, serverId: 'two' },
    ]) {
      expect(pool.get(other)).toBeNull();
      expect(() => pool.require(other)).toThrow(CommandError);
    }
  });

  it('names each session that has a connection or opens one', async () => {
    const opening = pool.open({ ...ada, sessionId: 'bob' }, opener);
    expect(pool.sessionIds()).toEqual(['bob']);
    await Promise.all([opening, pool.open(ada, opener), pool.open({ ...ada, serverId: 'two' }, opener)]);
    expect(pool.sessionIds().toSorted()).toEqual(['ada', 'bob']);
    pool.closeSession('bob');
    expect(pool.sessionIds()).toEqual(['ada']);
  });

  it('closes the connections of a session or a server, and tells the listeners', async () => {
    const changes: string[] = [];
    pool.onChange((changed) => changes.push(`${changed.sessionId}/${changed.serverId}`));
    await pool.open(ada, opener);
    await pool.open({ ...ada, sessionId: 'bob' }, opener);
    pool.closeSession('ada');
    expect(pool.get(ada)).toBeNull();
    expect(pool.list('bob')).toHaveLength(1);
    pool.closeServer('one');
    expect(pool.list('bob')).toEqual([]);
    expect(changes).toEqual(['ada/one', 'bob/one', 'ada/one', 'bob/one']);
  });

  it('finds no connection of a session that is over, while the connection still ends its last work', async () => {
    const connection = await pool.open(ada, opener);
    const other = await pool.open({ ...ada, sessionId: 'other' }, opener);
    pool.leaveSession(ada.sessionId);
    expect(pool.get(ada)).toBeNull();
    expect(pool.list(ada.sessionId)).toEqual([]);
    expect(pool.get({ ...ada, sessionId: 'other' })).toBe(other);
    expect(connection.usable).toBe(true);
    pool.closeSession(ada.sessionId);
    expect(connection.usable).toBe(false);
  });

  it('ends a running opening when its session ends', async () => {
    const opening = pool.open(ada, opener);
    pool.closeSession('ada');
    await expect(opening).rejects.toThrow(OpeningError);
    expect(pool.get(ada)).toBeNull();
    expect(pool.isOpening(ada)).toBe(false);
  });

  it('ends a connection that is past its age and still busy when its session ends', async () => {
    const old = await pool.open(ada, (signal) => opener(signal, { ageMs: 3_600_000, clock }));
    const working = old.exec({ argv: ['sleep', '30'], deadlineMs: 30_000 });
    expireNow();
    expect(pool.get(ada)).toBeNull();
    const next = await pool.open(ada, opener);
    expect(next).not.toBe(old);
    pool.closeSession('ada');
    await expect(working).rejects.toMatchObject({ failure: { code: 'connection_lost' } });
  });

  it('forgets a failed opening, so that the next call opens again', async () => {
    await expect(pool.open(ada, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await pool.open(ada, opener);
    expect(openings).toBe(1);
  });
});
