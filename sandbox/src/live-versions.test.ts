import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseTypeNames } from '@homeport/contract/databases/types/database-types';
import {
  dokkuFaults,
  isDokkuAtLeast,
  oldestDokku,
  recommendedDokku,
  tooOldDokku,
} from '@homeport/contract/servers/dokku-versions';
import type { LiveCheck, LiveHost } from '@homeport/dokku/live/check';
import { type CheckResult, freshNames, liveChecks, runLive } from '@homeport/dokku/live/run-checks';
import { openSshHost } from '@homeport/dokku/live/ssh-host';
import { describe, expect, test } from 'vitest';
import { startSshd } from '../testing/sshd.ts';
import { type PluginName, prepareSandboxHost } from './index.ts';

// The live suite on the files and commands of each Dokku, without and with Homeport's own plugin. Versions between which the sandbox
// does not distinguish stand for each other.

const versions = ['0.30.0', '0.37.0', '0.37.5', '0.37.8', '0.38.0', recommendedDokku];
const isDeep = process.env.TEST_DEEP === '1';
/** Each version takes a minute or two. `npm run test:deep` runs all of them, `npm test` the oldest and the recommended one. */
const tried = isDeep ? versions : ['0.30.0', recommendedDokku];
/** Each type takes half a minute. `npm run test:deep` tries all of them, each other run draws two. */
const types = isDeep
  ? databaseTypeNames
  : databaseTypeNames
      .map((type) => ({ type, at: Math.random() }))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, 2)
      .map(({ type }) => type);

/** Runs the whole suite over SSH, on a host with the plugins. */
async function runOn(
  dokkuVersion: string,
  plugins: readonly PluginName[],
  checks: readonly LiveCheck[],
): Promise<CheckResult[]> {
  const base = mkdtempSync(join(tmpdir(), 'live-versions-'));
  const ends: (() => Promise<unknown>)[] = [];
  try {
    const sandbox = await prepareSandboxHost({
      root: join(base, 'host'),
      dokkuVersion,
      plugins: [...plugins],
    });
    ends.push(() => sandbox.dispose());
    const server = await startSshd(join(base, 'ssh'), sandbox);
    ends.push(() => server.stop());
    const host: LiveHost & { close(): Promise<void> } = await openSshHost({
      ...{ host: '127.0.0.1', port: server.port, user: server.user, gitUser: server.user },
      ...{ key: server.adminKey, knownHosts: join(base, 'known_hosts') },
    });
    ends.push(() => host.close());
    const results: CheckResult[] = [];
    const report = (result: CheckResult) => results.push(result);
    await runLive(host, freshNames(), report, {
      plugins: join(sandbox.root, 'machine/var/lib/dokku/plugins'),
      checks,
    });
    return results;
  } finally {
    for (const end of ends.toReversed()) await end();
    rmSync(base, { recursive: true, force: true });
  }
}

const failures = (results: readonly CheckResult[]) =>
  results.flatMap(({ name, error }) => (error ? [`${name}: ${error.message}`] : []));
const skips = (results: readonly CheckResult[]) =>
  [...new Set(results.flatMap(({ skipped }) => skipped ?? []))].sort();

describe.each(tried)('a sandbox of Dokku %s', (version) => {
  test('passes every check with one type of database, and says what it could not try', async () => {
    const checks = liveChecks.filter(({ name }) => !/^a database of (?!postgres|redis)/.test(name));
    const results = await runOn(version, ['acl', 'postgres'], checks);
    expect(failures(results)).toEqual([]);
    // Those of the suite, the one without the plugin, one after each of both parts, and the plugin itself.
    expect(results).toHaveLength(checks.length + 4);
    const older = {
      '0.37.0': [
        'Dokku before 0.37.0 takes no variables over stdin',
        'Dokku before 0.37.0 suspends no task',
        tooOldDokku(version),
      ],
      '0.38.0': ['Dokku before 0.38 keeps no records of deploys', 'Dokku before 0.38 may keep no app.json'],
    };
    expect(skips(results)).toEqual(
      [
        'the host has no plugin for redis',
        'the host has no plugin letsencrypt',
        ...Object.entries(older).flatMap(([floor, reasons]) =>
          isDokkuAtLeast(version, floor) ? [] : reasons,
        ),
      ].sort(),
    );
  }, 300_000);
});

test(`databases of the types ${types.join(', ')} pass, and nothing is skipped where the host has every plugin`, async () => {
  const checks = liveChecks.filter(
    ({ name }) =>
      /^(apps:create|letsencrypt)/.test(name) ||
      types.some((type) => name.startsWith(`a database of ${type}:`)),
  );
  expect(checks.length).toBeGreaterThan(2 * types.length);
  const results = await runOn(recommendedDokku, ['letsencrypt', ...databaseTypeNames], checks);
  expect(failures(results)).toEqual([]);
  expect(skips(results)).toEqual([]);
}, 400_000);

test('a version stands for each that has known faults, on the same side of every difference of the sandbox', () => {
  const sources = readdirSync(new URL('.', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'));
  const floors = [
    ...new Set(
      sources.flatMap((text) => [...text.matchAll(/knows\('([\d.]+)'\)/g)].map(([, floor = '']) => floor)),
    ),
  ];
  expect(floors).toContain('0.38.0');
  const side = (version: string) => floors.map((floor) => isDokkuAtLeast(version, floor)).join();
  const known = dokkuFaults.flatMap(({ since, fixedIn }) => (since === null ? [fixedIn] : [since, fixedIn]));
  for (const version of [...known, oldestDokku]) expect(versions.map(side), version).toContain(side(version));
});
