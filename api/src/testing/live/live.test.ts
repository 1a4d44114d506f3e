import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  type CloudflareProcess,
  type GithubProcess,
  startCloudflare,
  startGithub,
} from '@homeport/stand-ins/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The program runs as for the real services; only their addresses are those of the stand-ins.

const program = fileURLToPath(new URL('../../../../scripts/test-live.ts', import.meta.url));
const token = `cfut_${'l'.repeat(48)}`;
const githubToken = `gho_${'l'.repeat(36)}`;
let cloudflare: CloudflareProcess;
let github: GithubProcess;

beforeAll(async () => {
  cloudflare = await startCloudflare();
  await cloudflare.grant({ secret: token });
  github = await startGithub();
});
afterAll(async () => {
  await cloudflare?.[Symbol.asyncDispose]();
  await github?.[Symbol.asyncDispose]();
});

type Ran = { exitCode: number; stdout: string; stderr: string };

const live = (argv: string[], env: Record<string, string>) =>
  new Promise<Ran>((resolve) => {
    const all = {
      ...process.env,
      HOMEPORT_CLOUDFLARE_URL: cloudflare.url,
      HOMEPORT_GITHUB_URL: github.url,
      ...env,
    };
    execFile(
      process.execPath,
      ['--import', 'tsx', program, ...argv],
      { env: all, timeout: 60_000 },
      (error, stdout, stderr) => resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

test('the live checks pass at both services, leave nothing behind, and print no credential', async () => {
  const zone = await cloudflare.addZone('throwaway.example');
  await cloudflare.addRecord(zone, { type: 'A', name: 'www', content: '203.0.113.24' });
  const octo = await github.addPerson('octo');
  await github.addRepository({ owner: octo.login, name: 'throwaway' });
  await github.tellHostKeys([`ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)}`]);
  await github.grant(githubToken, { person: octo.id, scopes: ['repo', 'workflow'] });
  const argv = ['--cloudflare', 'throwaway.example', '--github', 'octo/throwaway'];
  const ran = await live(argv, {
    HOMEPORT_LIVE_CLOUDFLARE_TOKEN: token,
    HOMEPORT_LIVE_GITHUB_TOKEN: githubToken,
  });
  expect(ran.stdout).toMatch(/\n21 passed, 0 failed\n$/);
  expect(ran.exitCode).toBe(0);
  for (const secret of [token, githubToken]) expect(ran.stdout + ran.stderr).not.toContain(secret);
  const records = await cloudflare.recordsOf(zone);
  expect(records.map(({ name }) => name)).toEqual(['www.throwaway.example']);
  const { secrets, branches } = await github.readRepository('octo/throwaway');
  expect([secrets, branches.main?.files]).toEqual([{}, {}]);
  expect((await cloudflare.exchanges()).length).toBeGreaterThan(10);
  expect(await cloudflare.violations()).toEqual([]);
}, 90_000);

test('a check that fails is named, and the others go on', async () => {
  const zone = await cloudflare.addZone('readonly.example', 'secondary');
  const ran = await live(['--cloudflare', 'nowhere.example'], { HOMEPORT_LIVE_CLOUDFLARE_TOKEN: token });
  expect(ran.exitCode).toBe(1);
  expect(ran.stdout).toContain('FAIL  Cloudflare: the zone is listed\n');
  expect(ran.stdout).toContain('ok    Cloudflare: a wrong token is refused\n');
  expect(await cloudflare.recordsOf(zone)).toEqual([]);
}, 90_000);

test('nothing is tried without a credential in the environment', async () => {
  const { exitCode, stderr } = await live(['--github', 'octo/throwaway'], { HOMEPORT_LIVE_GITHUB_TOKEN: '' });
  expect([exitCode, stderr.split('\n')[0]]).toEqual([2, 'HOMEPORT_LIVE_GITHUB_TOKEN is not set.']);
}, 60_000);
