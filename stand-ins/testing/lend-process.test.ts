import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { cloudflareVerbs } from './cloudflare-verbs.ts';
import { lendProcess } from './lend-process.ts';
import { startCloudflare } from './start-cloudflare.ts';
import { startGithub } from './start-github.ts';

const secret = 'c'.repeat(40);
const authorization = `Bearer ${secret}`;
const status = async (url: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { headers })).status;

test('Cloudflare is a process that answers by its rules, tells what it holds, and ends', async () => {
  const cloudflare = await startCloudflare();
  const zone = await cloudflare.addZone('northquay.example');
  const id = await cloudflare.addRecord(zone, { type: 'A', name: 'www', content: '203.0.113.24' });
  const records = `${cloudflare.url}/zones/${zone}/dns_records`;
  expect(await status(records, { authorization })).toBe(401);
  await cloudflare.grant({ secret });
  expect(await status(records, { authorization })).toBe(200);
  expect(await cloudflare.recordsOf(zone)).toEqual([
    { id, type: 'A', name: 'www.northquay.example', content: '203.0.113.24', proxied: false },
  ]);
  expect(await cloudflare.exchanges()).toHaveLength(2);
  expect(await cloudflare.violations()).toEqual([]);
  await cloudflare[Symbol.asyncDispose]();
  await expect(fetch(records)).rejects.toThrow('fetch failed');
  await expect(cloudflare.recordsOf(zone)).rejects.toThrow('was given back');
});

test('a process that was given back is lent again, and one that is in use is not', async () => {
  const first = await lendProcess('cloudflare-process.ts', cloudflareVerbs);
  const second = await lendProcess('cloudflare-process.ts', cloudflareVerbs);
  expect(second.pid).not.toBe(first.pid);
  first.giveBack();
  const third = await lendProcess('cloudflare-process.ts', cloudflareVerbs);
  expect(third.pid).toBe(first.pid);
  second.giveBack();
  third.giveBack();
});

test('what one test leaves does not reach the next one', async () => {
  const first = await startCloudflare();
  await first.grant({ secret });
  await first.answerBadly('hang_up');
  await expect(fetch(`${first.url}/zones`)).rejects.toThrow('fetch failed');
  await first[Symbol.asyncDispose]();
  await using second = await startCloudflare();
  expect(await status(`${second.url}/zones`, { authorization })).toBe(401);
  expect(await second.exchanges()).toHaveLength(1);
});

test('a request that the document does not describe fails the disposal, of its own test only', async () => {
  const cloudflare = await startCloudflare();
  await cloudflare.grant({ secret });
  await status(`${cloudflare.url}/zones?colour=blue`, { authorization });
  expect(await cloudflare.violations()).toEqual([expect.stringContaining('colour')]);
  await expect(cloudflare[Symbol.asyncDispose]()).rejects.toThrow('colour');
  await using next = await startCloudflare();
  expect(await next.violations()).toEqual([]);
});

test('an answer can be held until the test gives it', async () => {
  await using cloudflare = await startCloudflare();
  await cloudflare.holdNext('/zones');
  const asked = fetch(`${cloudflare.url}/zones`, { headers: { authorization } });
  await cloudflare.isHolding();
  await cloudflare.answerHeld({ status: 418, headers: {}, body: 'later' });
  const answer = await asked;
  expect([answer.status, await answer.text()]).toEqual([418, 'later']);
  expect(await status(`${cloudflare.url}/zones`, { authorization })).toBe(401);
});

test('GitHub is a process that answers by its rules, and tells what it holds', async () => {
  await using github = await startGithub();
  const { login: owner } = await github.addPerson('octo');
  const head = await github.addRepository({ owner, name: 'site', files: { 'index.html': 'ahoy' } });
  expect(head).toMatch(/^[0-9a-f]{40}$/);
  expect(await status(`${github.url}/api/v3/user`, { 'user-agent': 'test' })).toBe(401);
  expect(await github.readRepository('octo/site')).toEqual({
    secrets: {},
    deployKeys: [],
    pulls: [],
    branches: { main: { commit: head, files: { 'index.html': 'ahoy' } } },
  });
  expect(await github.requests()).toEqual(['GET /user']);
  await expect(github.readRepository('octo/none')).rejects.toThrow('There is no repository');
});

test('a stand-in ends with the process that started it, also with a killed one', async () => {
  const program = `
    const { startCloudflare } = await import(${JSON.stringify(new URL('start-cloudflare.ts', import.meta.url).href)});
    console.log((await startCloudflare()).url);`;
  const starter = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url = ''] = await once(createInterface({ input: starter.stdout }), 'line');
  expect(await status(`${url}/zones`, { authorization })).toBe(401);
  starter.kill('SIGKILL');
  await expect.poll(() => status(`${url}/zones`).catch(() => 'gone')).toBe('gone');
});

test('a process that cannot start says so', async () => {
  await expect(lendProcess('no-such-process.ts', {})).rejects.toThrow('no-such-process.ts ended with 1');
});
