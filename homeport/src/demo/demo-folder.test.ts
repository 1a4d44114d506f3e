import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { expect, onTestFinished, test } from 'vitest';
import { makeDemoKey, openDemoFolder } from './demo-folder.ts';
import { lastingPorts } from './lasting-port.ts';

test('every key of a demo can be read, also one whose public half begins with a zero byte', () => {
  // Of 2,000 such keys about eight begin with a zero byte; a run without one comes once in 2,500.
  for (let made = 0; made < 2000; made += 1) {
    expect(ssh2.utils.parseKey(makeDemoKey().private)).not.toBeInstanceOf(Error);
  }
});

test('a kept key that cannot be read is made anew, and one that can stays', async () => {
  const data = await mkdtemp(join(tmpdir(), 'homeport-demo-folder-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const first = await openDemoFolder(data);
  expect((await openDemoFolder(data)).hostKey).toBe(first.hostKey);
  await writeFile(first.hostKeyFile, (await readFile(first.hostKeyFile, 'utf8')).replace('AAAA', ''), {
    mode: 0o600,
  });
  const second = await openDemoFolder(data);
  expect(second.hostKey).not.toBe(first.hostKey);
  expect(second.probeKey).toBe(first.probeKey);
  expect(ssh2.utils.parseKey(await readFile(second.hostKeyFile, 'utf8'))).not.toBeInstanceOf(Error);
});

test('a demo keeps four ports that the system gives to no program which connects somewhere', async () => {
  const data = await mkdtemp(join(tmpdir(), 'homeport-demo-folder-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const { sshPort, frontPort, sitePorts } = await openDemoFolder(data);
  const ports = [sshPort, frontPort, ...sitePorts];
  expect(new Set(ports).size).toBe(4);
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(lastingPorts.first);
  expect(Math.max(...ports)).toBeLessThanOrEqual(lastingPorts.last);
  expect(await openDemoFolder(data)).toMatchObject({ sshPort, frontPort, sitePorts });

  await writeFile(join(data, 'demo/demo.json'), JSON.stringify({ sshPort: 2222 }));
  expect(await openDemoFolder(data)).toMatchObject({ sshPort: 2222, frontPort: expect.any(Number) });
});
