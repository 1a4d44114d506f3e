import { expect, test } from 'vitest';
import { recorded } from '../../testing/transcript.ts';
import { UnreadableOutputError } from '../output.ts';
import * as ps from './ps.ts';
import * as storage from './storage.ts';

const real = recorded('ps', 'inspect');
/** The recorded answer with other limits on its container. */
function limited(limits: Readonly<Record<string, number>>) {
  const rows = JSON.parse(real.stdout) as { HostConfig: Record<string, unknown> }[];
  for (const row of rows) Object.assign(row.HostConfig, limits);
  return { ...real, stdout: JSON.stringify(rows) };
}

test('a container without limits may use the whole server', () => {
  expect(ps.readInspect(real)).toEqual([
    {
      id: '49bf6fabf3fce2a4980e710ea8af64baeeac87ec44d863204aa70fe2aadb7dc9',
      name: 'worker.1',
      state: 'running',
      memoryBytes: null,
      cpus: null,
      restarts: 0,
      outOfMemory: false,
      exitCode: 0,
      endedAt: null,
      createdAt: Date.parse('2026-11-21T07:27:50.101Z'),
      image: 'sha256:a51bf7dab537b91cd230270502e9b71a38c35d665adf627fdff1fd0eee8fe38b',
      builder: 'dockerfile',
      restartPolicy: 'on-failure:10',
    },
  ]);
});

test('reads limits in bytes and CPUs, also when they were set as quota and period', () => {
  expect(ps.readInspect(limited({ Memory: 134_217_728, NanoCpus: 500_000_000 }))).toMatchObject([
    { memoryBytes: 128 * 1024 * 1024, cpus: 0.5 },
  ]);
  expect(ps.readInspect(limited({ CpuQuota: 25_000, CpuPeriod: 100_000 }))).toMatchObject([{ cpus: 0.25 }]);
  expect(ps.readInspect(limited({ CpuQuota: 50_000, CpuPeriod: 0 }))).toMatchObject([{ cpus: 0.5 }]);
});

test('an app that was never deployed has no readable answer', () => {
  const never = recorded('ps', 'inspect, never deployed');
  expect(never.exitCode).toBe(1);
  expect(() => ps.readInspect(never)).toThrow(UnreadableOutputError);
});

test('reports the size of a folder only when all of it was readable', () => {
  const answer = (exitCode: number, stdout: string) => ({ exitCode, stdout, stderr: '' });
  expect(storage.readUse(answer(0, '20480\t/var/lib/dokku/data/storage/hello-data\n'))).toBe(20_480);
  // du prints the sum of the readable files, and fails.
  expect(storage.readUse(answer(1, '4096\t/var/lib/dokku/data/storage/hello-data\n'))).toBeNull();
  expect(storage.readUse(answer(0, ''))).toBeNull();
});

test('passes a folder as one word after the options', () => {
  expect(storage.use('/srv/a b', 'anyone')).toMatchObject({
    words: ['du', '-sb', '--', '/srv/a b'],
    needsRoot: false,
  });
  expect(storage.use('/srv/a', 'root').needsRoot).toBe(true);
});
