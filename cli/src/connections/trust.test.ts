import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newSession } from '@homeport/signer/userauth-fixtures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placesOf } from '../sign-in/places.ts';
import { testHome } from '../testing/terminal.ts';
import { claimSession } from './signed-sessions.ts';
import { keepPin, keptPin } from './trust.ts';

let home: ReturnType<typeof testHome>;
let places: ReturnType<typeof placesOf>;
beforeEach(() => {
  home = testHome();
  places = placesOf({ env: {}, home: home.home });
});
afterEach(() => home[Symbol.dispose]());

const one = `SHA256:${'a'.repeat(43)}`;
const two = `SHA256:${'b'.repeat(43)}`;
const server = { origin: 'https://a.example', serverId: 'one' };

describe('pins', () => {
  it('belong to one console and one server', async () => {
    await keepPin(places, { ...server, fingerprint: one, at: 1 });
    await keepPin(places, { ...server, origin: 'https://b.example', fingerprint: two, at: 2 });
    expect(await keptPin(places, server)).toBe(one);
    expect(await keptPin(places, { ...server, origin: 'https://b.example' })).toBe(two);
    for (const other of ['two', '__proto__', 'constructor'])
      expect(await keptPin(places, { ...server, serverId: other })).toBeNull();
    await keepPin(places, { ...server, fingerprint: two, at: 3 });
    expect(await keptPin(places, server)).toBe(two);
  });

  it('stand in a file that only its person may read, and another one is not used', async () => {
    await keepPin(places, { ...server, fingerprint: one, at: 1 });
    expect(statSync(places.trust).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(places.trust)).mode & 0o777).toBe(0o700);
    chmodSync(places.trust, 0o644);
    await expect(keptPin(places, server)).rejects.toMatchObject({
      exit: 4,
      recovery: expect.stringContaining('chmod 600'),
    });
    await expect(keepPin(places, { ...server, fingerprint: two, at: 2 })).rejects.toMatchObject({ exit: 4 });
    expect(readFileSync(places.trust, 'utf8')).toContain(one);
  });

  it('are not read from a file in another form', async () => {
    await keepPin(places, { ...server, fingerprint: one, at: 1 });
    writeFileSync(places.trust, '{"pins":{"https://a.example":{"one":{"fingerprint":"any","at":1}}}}');
    await expect(keptPin(places, server)).rejects.toMatchObject({ exit: 1 });
  });

  it('number a thousand, and the ones that were made first go', async () => {
    const pins = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, at) => [`server-${at}`, { fingerprint: one, at }]),
    );
    await keepPin(places, { ...server, fingerprint: one, at: 0 });
    writeFileSync(places.trust, JSON.stringify({ pins: { [server.origin]: pins } }));
    await keepPin(places, { ...server, fingerprint: two, at: 5_000 });
    expect(await keptPin(places, server)).toBe(two);
    expect(await keptPin(places, { ...server, serverId: 'server-0' })).toBeNull();
    expect(await keptPin(places, { ...server, serverId: 'server-1' })).toBe(one);
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
