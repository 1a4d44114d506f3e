import { expect, test } from 'vitest';
import { z } from 'zod';
import { runProcess } from './run-process.ts';
import { startCloudflare } from './start-cloudflare.ts';
import { startGithubProcess } from './start-github.ts';

const status = async (url: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { headers })).status;

test('Cloudflare is a process that answers by its rules, tells what it holds, and ends', async () => {
  const cloudflare = await startCloudflare();
  const zone = await cloudflare.addZone('northquay.example');
  await cloudflare.addRecords(zone, [{ type: 'A', name: 'www', content: '203.0.113.24' }]);
  const records = `${cloudflare.url}/zones/${zone}/dns_records`;
  const authorization = `Bearer ${'c'.repeat(40)}`;
  expect(await status(records, { authorization })).toBe(401);
  await cloudflare.grant('c'.repeat(40));
  expect(await status(records, { authorization })).toBe(200);
  expect(await cloudflare.recordsOf(zone)).toEqual([
    { type: 'A', name: 'www.northquay.example', content: '203.0.113.24' },
  ]);
  expect(await cloudflare.violations()).toEqual([]);
  await cloudflare.close();
  await expect(fetch(records)).rejects.toThrow('fetch failed');
}, 30_000);

test('a request that the document does not describe is a violation', async () => {
  const cloudflare = await startCloudflare();
  await cloudflare.grant('c'.repeat(40));
  await status(`${cloudflare.url}/zones?colour=blue`, { authorization: `Bearer ${'c'.repeat(40)}` });
  expect(await cloudflare.violations()).toEqual([expect.stringContaining('colour')]);
  await cloudflare.close();
}, 30_000);

test('GitHub is a process that answers by its rules, and tells what it holds', async () => {
  const github = await startGithubProcess();
  const owner = await github.addPerson('octo');
  const head = await github.addRepository({ owner, name: 'site', files: { 'index.html': 'ahoy' } });
  expect(head).toMatch(/^[0-9a-f]{40}$/);
  expect(await status(`${github.url}/api/v3/user`, { 'user-agent': 'test' })).toBe(401);
  expect(await github.deployKeysOf(`${owner}/site`)).toEqual([]);
  await expect(github.deployKeysOf(`${owner}/none`)).rejects.toThrow('There is no repository');
  await github.close();
}, 30_000);

test('a process that cannot start says so', async () => {
  await expect(runProcess('no-such-process.ts', z.unknown())).rejects.toThrow(
    'no-such-process.ts ended with 1',
  );
}, 30_000);
