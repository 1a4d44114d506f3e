import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dokkuFaults, oldestDokku, recommendedDokku } from '@homeport/contract/servers/dokku-versions';
import * as dokku from '@homeport/dokku';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareSandboxHost, type SandboxHost } from './index.ts';

// Homeport's plugin on the files of each Dokku. 0.37.8 writes variables in another form than 0.37.7, and 0.38.0 in another folder.

const versions = [
  ...new Set([
    ...['0.30.0', '0.35.0', '0.37.7', '0.37.8'],
    ...dokkuFaults.flatMap(({ since, fixedIn }) => (since === null ? [fixedIn] : [since, fixedIn])),
    oldestDokku,
    recommendedDokku,
  ]),
].sort();

const app = dokku.appName('shop');
const database = dokku.serviceName('main-db');

describe.each(versions)('on Dokku %s', (dokkuVersion) => {
  let folder: string;
  let host: SandboxHost;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'homeport-versions-'));
    host = await prepareSandboxHost({ root: join(folder, 'host'), plugins: ['postgres'], dokkuVersion });
    const place = join(host.root, 'machine/var/lib/dokku/plugins/available/homeport');
    cpSync(fileURLToPath(new URL('../../dokku/plugin', import.meta.url)), place, { recursive: true });
    await succeed(dokku.plugin.enable('homeport').words);
    await succeed(dokku.domains.setGlobal(dokku.domainName('apps.example.com')).words);
    await succeed(dokku.apps.create(app).words);
    await succeed(dokku.service.create('postgres', database).words);
    await succeed(dokku.service.link('postgres', database, app).words);
    await succeed(['config:set', '--no-restart', app, 'LINES=a\nNO_VHOST=1\nNO_VHOST="1"\nb', 'PORTS=0080']);
  }, 120_000);
  afterAll(async () => {
    await host?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  function succeed(words: readonly string[]): Promise<dokku.Outcome> {
    return new Promise((resolve, reject) =>
      execFile('dokku', words, { env: host.env }, (error, stdout, stderr) =>
        error ? reject(new Error(`${words.join(' ')}: ${stderr}`)) : resolve({ exitCode: 0, stdout, stderr }),
      ),
    );
  }
  const told = async (name: dokku.AppName) =>
    dokku.homeport.readState(await succeed(dokku.homeport.state(name).words));

  test('a link is told with the variable that it set', async () => {
    const state = dokku.homeport.readDatabaseState(
      await succeed(dokku.homeport.databaseState('postgres', database).words),
    );
    expect(state?.links).toEqual([{ app, variables: ['DATABASE_URL'] }]);
  });

  test('an app whose domains are switched off has no address by them, whatever its values hold', async () => {
    const routed = await told(app);
    expect(routed?.addresses).toEqual([expect.stringContaining('shop.apps.example.com')]);
    const path = join(host.root, 'apps/shop.json');
    const kept = readFileSync(path, 'utf8');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(kept), vhostsEnabled: false }));
    expect((await told(app))?.addresses).not.toEqual(routed?.addresses);
    writeFileSync(path, kept);
    expect((await told(app))?.addresses).toEqual(routed?.addresses);
  });

  test('a stopped app is told as stopped', async () => {
    expect((await told(app))?.processes.stopped).toBe(false);
    await succeed(dokku.ps.stop(app).words);
    const { stdout } = await succeed(dokku.ps.reportFlag(app, 'restore').words);
    expect((await told(app))?.processes.stopped).toBe(stdout.trim() === 'false');
  });
});
