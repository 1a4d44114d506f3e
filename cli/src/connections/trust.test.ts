import { chmodSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSession } from '@homeport/signer/userauth-fixtures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placesOf } from '../sign-in/places.ts';
import { testHome } from '../testing/terminal.ts';
import { claimSession } from './signed-sessions.ts';
import { keepPin, keptPin, otherWithKey } from './trust.ts';

let home: ReturnType<typeof testHome>;
let places: ReturnType<typeof placesOf>;
beforeEach(() => {
  home = testHome();
  places = placesOf({ env: {}, home: home.home });
});
afterEach(() => home[Symbol.dispose]());

const one = `SHA256:${'a'.repeat(43)}`;
const two = `SHA256:${'b'.repeat(43)}`;
const pin = {
  ...{ origin: 'https://a.example', serverId: 'one', fingerprint: one },
  ...{ name: 'lantern', ip: '192.0.2.1', port: 22, key: two },
};
const fileOfOne = () => join(places.trust, readdirSync(places.trust)[0] ?? '');

describe('pins', () => {
  it('belong to one console and one server', async () => {
    await keepPin(places, pin);
    await keepPin(places, { ...pin, origin: 'https://b.example', fingerprint: two });
    expect(await keptPin(places, pin)).toEqual(pin);
    expect(await keptPin(places, { ...pin, origin: 'https://b.example' })).toMatchObject({
      fingerprint: two,
    });
    for (const other of ['two', '__proto__', '../one', ''])
      expect(await keptPin(places, { ...pin, serverId: other })).toBeNull();
    await keepPin(places, { ...pin, fingerprint: two });
    expect(await keptPin(places, pin)).toMatchObject({ fingerprint: two });
  });

  it('stand in files that only their person may read, and another one is not used', async () => {
    await keepPin(places, pin);
    expect(statSync(fileOfOne()).mode & 0o777).toBe(0o600);
    expect(statSync(places.trust).mode & 0o777).toBe(0o700);
    chmodSync(fileOfOne(), 0o644);
    await expect(keptPin(places, pin)).rejects.toMatchObject({
      exit: 4,
      recovery: expect.stringContaining('chmod 600'),
    });
  });

  it('are not read from a file in another form, or of another server', async () => {
    await keepPin(places, pin);
    const file = fileOfOne();
    writeFileSync(file, JSON.stringify({ ...pin, serverId: 'two' }));
    expect(await keptPin(places, pin)).toBeNull();
    writeFileSync(file, JSON.stringify({ ...pin, fingerprint: 'any' }));
    await expect(keptPin(places, pin)).rejects.toMatchObject({ exit: 1 });
  });

  it('are all kept where commands keep them at once', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `server-${n}`);
    await Promise.all(ids.map((serverId) => keepPin(places, { ...pin, serverId })));
    for (const serverId of ids) expect(await keptPin(places, { ...pin, serverId })).not.toBeNull();
  });

  it('name the other server of a console with the same host key', async () => {
    await keepPin(places, pin);
    expect(await otherWithKey(places, { ...pin, serverId: 'two' })).toEqual(pin);
    expect(await otherWithKey(places, pin)).toBeNull();
    expect(await otherWithKey(places, { ...pin, serverId: 'two', fingerprint: two })).toBeNull();
    expect(await otherWithKey(places, { ...pin, serverId: 'two', origin: 'https://b.example' })).toBeNull();
  });

  it('number a thousand, and the ones that were kept first go', async () => {
    await keepPin(places, pin);
    utimesSync(fileOfOne(), 1, 1);
    for (let count = 0; count < 1_098; count += 1) writeFileSync(join(places.trust, `later-${count}`), '');
    expect(await keptPin(places, pin)).not.toBeNull();
    await keepPin(places, { ...pin, serverId: 'two' });
    expect(readdirSync(places.trust)).toHaveLength(1_000);
    expect(await keptPin(places, pin)).toBeNull();
    expect(await keptPin(places, { ...pin, serverId: 'two' })).not.toBeNull();
  });
});

describe('a signed session', () => {
  it('is signed once, also by commands that run at the same time', async () => {
    const session = newSession();
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimSession(places, session)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claimSession(places, session)).toBe(false);
    expect(await claimSession(places, newSession())).toBe(true);
  });

  it('is forgotten when 2,000 later ones were signed, and not before', async () => {
    const first = newSession();
    expect(await claimSession(places, first)).toBe(true);
    const [file = ''] = readdirSync(places.signed);
    utimesSync(join(places.signed, file), 1, 1);
    for (let count = 0; count < 2_098; count += 1) writeFileSync(join(places.signed, `later-${count}`), '');
    expect(await claimSession(places, first)).toBe(false);
    await claimSession(places, newSession());
    expect(readdirSync(places.signed)).toHaveLength(2_000);
    expect(await claimSession(places, first)).toBe(true);
  });
});
