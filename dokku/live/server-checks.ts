import { deepEqual, equal, ok } from 'node:assert/strict';
import { isDokkuAtLeast, oldestDokku, tooOldDokku } from '@homeport/contract/servers/dokku-versions';
import * as dokku from '../src/index.ts';
import { fingerprintOf } from '../src/names/fingerprint.ts';
import { done, type LiveCheck, refused } from './check.ts';
import { skip } from './skip.ts';

/** The server itself and its keys, before there is an app. */
export const serverChecks: readonly LiveCheck[] = [
  {
    name: `version is ${oldestDokku} or later`,
    run: async ({ host }) => {
      const found = dokku.probe.readVersion(done(await host.run(dokku.probe.version())));
      ok(found !== null, 'no version was found');
      if (!isDokkuAtLeast(found, oldestDokku)) skip(tooOldDokku(found));
    },
  },
  {
    name: 'the probe reads Dokku, Docker and the machine in one round trip',
    run: async ({ host }) => {
      const found = dokku.probe.readProbe(done(await host.run(dokku.probe.probe())));
      for (const [key, value] of Object.entries(found)) ok(value !== null, `${key} is missing`);
    },
  },
  {
    name: 'detached work outlives its command and leaves its log and exit code',
    run: async ({ host, app }) => {
      const folder = `/tmp/${app}-detached`;
      try {
        done(await host.run(dokku.detached.startDetached(folder, ['sh', '-c', 'echo working; exit 3'])));
        const state = async () =>
          dokku.detached.readDetachedState(done(await host.run(dokku.detached.readDetached(folder, 0))));
        const end = Date.now() + 10_000;
        let found = await state();
        while (found?.kind === 'running' && Date.now() < end) found = await state();
        deepEqual(found, { kind: 'ended', exitCode: 3, log: 'working\n' });
      } finally {
        done(await host.run(dokku.hostCommand(['rm', '-rf', '--', folder], { needsRoot: true })));
      }
    },
  },
  {
    name: 'plugin:list names the core plugins',
    run: async ({ host }) => {
      const rows = dokku.plugin.readList(done(await host.run(dokku.plugin.list())));
      ok(
        rows.some((row) => row.name === 'apps' && row.enabled),
        `${rows.length} rows`,
      );
    },
  },
  {
    name: 'ufw status can be read, whatever its answer',
    run: async ({ host }) => {
      const found = dokku.firewall.readStatus(await host.run(dokku.firewall.status()));
      ok(found.kind !== 'failed' && found.kind !== 'no_permission', `${found.kind}: ${found.text}`);
      if (found.kind === 'active') ok(found.rules.length > 0, 'active without a readable rule');
    },
  },
  {
    name: 'domains:report names the global domains, or none',
    run: async ({ host }) => {
      const outcome = await host.run(dokku.domains.globalReport());
      if (dokku.failureOf(outcome)) return refused(outcome, 'bad_usage');
      ok(dokku.domains.readGlobalReport(outcome).every((domain) => domain.includes('.')));
    },
  },
  {
    name: 'ssh-keys:add takes a key, and reports a key that the server has already',
    run: async ({ host, key }) => {
      done(await host.run(dokku.sshKeys.add(key, host.publicKey)));
      refused(await host.run(dokku.sshKeys.add(key, host.publicKey)), 'duplicate_key', 1);
    },
  },
  {
    name: 'ssh-keys:add refuses text that is no key',
    run: async ({ host, key }) => {
      const other = dokku.sshKeyName(`${key}-bad`);
      refused(await host.run(dokku.sshKeys.add(other, 'ssh-ed25519 no-key')), 'key_invalid', 1);
    },
  },
  {
    name: 'ssh-keys:list names the key by its fingerprint',
    run: async ({ host, key }) => {
      const rows = dokku.sshKeys.readList(await host.run(dokku.sshKeys.list()));
      const found = rows?.find((row) => row.name === key);
      equal(found?.fingerprint, fingerprintOf(host.publicKey));
    },
  },
  {
    name: 'apps:create makes an app, and refuses the same name again',
    run: async ({ host, app }) => {
      done(await host.run(dokku.apps.create(app)));
      refused(await host.run(dokku.apps.create(app)), 'name_taken', 1);
    },
  },
  {
    name: 'apps:exists reports a missing app by exit code 20',
    run: async ({ host, app }) => {
      done(await host.run(dokku.apps.exists(app)));
      refused(await host.run(dokku.apps.exists(missing(app))), 'app_missing', 20);
    },
  },
  {
    name: 'apps:list holds the app',
    run: async ({ host, app }) => {
      const names = dokku.apps.readList(done(await host.run(dokku.apps.list())));
      ok(names.includes(app));
      ok(!names.includes(missing(app)));
    },
  },
  {
    name: 'apps:report has the time of creation and shows that nothing is deployed',
    run: async ({ host, app }) => {
      const found = dokku.apps.readReport(done(await host.run(dokku.apps.report(app))));
      ok(found.createdAt !== null && found.createdAt > Date.parse('2020-01-01'));
      deepEqual([found.deploySource, found.locked], ['', false]);
      refused(await host.run(dokku.apps.report(missing(app))), 'app_missing', 20);
    },
  },
  {
    name: 'apps:destroy of a missing app ends with 20',
    run: async ({ host, app }) =>
      refused(await host.run(dokku.apps.destroy(missing(app))), 'app_missing', 20),
  },
];

const missing = (app: dokku.AppName) => dokku.appName(`${app}-missing`);
