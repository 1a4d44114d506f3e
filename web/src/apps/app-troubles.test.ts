import type { AppState } from '@homeport/contract/apps/health';
import type { Uptime, UptimeCertificate } from '@homeport/contract/uptime/schema';
import { expect, test } from 'vitest';
import { appTroubles } from './app-troubles.ts';

const day = 86_400_000;
const now = new Date(2026, 10, 16, 14, 5).getTime();
const app = {
  serverName: 'lantern',
  crash: null,
  deployment: { status: 'succeeded', at: now - day },
} as const;
const running: AppState = { kind: 'running' };
const checked = (over: Partial<Uptime>, certificate: Partial<UptimeCertificate> | null = null) =>
  ({
    online: true,
    state: 'up',
    since: now - 60_000,
    domain: 'ledger.example',
    latest: certificate && { text: null, certificate: { validFrom: now - 60 * day, ...certificate } },
    ...over,
  }) as Uptime;

test('a running app that answers has no trouble', () => {
  expect(appTroubles(app, running, undefined, now)).toEqual([]);
  expect(appTroubles(app, running, checked({}, { validTo: now + 30 * day }), now)).toEqual([]);
});

test('a crash says when and how, and stands for the checks that fail with it', () => {
  const process = { name: 'web.1', exitCode: 1, restarts: 10, outOfMemory: false };
  const crash = { at: new Date(2026, 10, 15, 18, 10).getTime(), processes: [process] };
  expect(appTroubles({ ...app, crash }, { kind: 'crashed' }, checked({ online: false }), now)).toEqual([
    {
      kind: 'crashed',
      band: 'danger',
      label: 'Crashed',
      detail: 'On lantern, yesterday at 18:10: web.1 ended with exit code 1',
    },
  ]);
});

test('an app that does not answer is offline, and a paused one is not', () => {
  const down = checked({ online: false, state: 'down' });
  expect(appTroubles(app, running, down, now)).toMatchObject([
    { kind: 'offline', detail: 'ledger.example has not answered since 14:04' },
  ]);
  expect(appTroubles(app, { kind: 'paused' }, down, now)).toEqual([]);
});

test('an app that its server no longer has says so, and nothing of what it was', () => {
  const since = new Date(2026, 10, 16, 13, 5).getTime();
  const failed = { ...app, deployment: { status: 'failed', at: null } } as const;
  expect(appTroubles(failed, { kind: 'missing', since }, checked({ online: false }), now)).toEqual([
    {
      kind: 'missing',
      band: 'danger',
      label: 'Gone from its server',
      detail: 'lantern has not had it since 13:05 or before',
    },
  ]);
});

test('a failed deploy says whether a version goes on', () => {
  const failed = (at: number | null) => ({ ...app, deployment: { status: 'failed', at } }) as const;
  expect(appTroubles(failed(now - day), running, undefined, now)[0]?.detail).toBe(
    'On lantern. The version before it goes on',
  );
  expect(appTroubles(failed(null), { kind: 'undeployed' }, undefined, now)[0]?.detail).toBe(
    'On lantern. No version runs yet',
  );
});

test('a certificate is told before its end and after it', () => {
  expect(appTroubles(app, running, checked({}, { validTo: now + 6 * day }), now)).toMatchObject([
    { band: 'warning', detail: 'It ends within 7 days, for ledger.example, and was not renewed' },
  ]);
  expect(appTroubles(app, running, checked({}, { validTo: now - day }), now)).toMatchObject([
    { kind: 'certificate', band: 'danger' },
  ]);
});
