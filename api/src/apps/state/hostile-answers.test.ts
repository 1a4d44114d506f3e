import { containersPerApp, mountsPerApp } from '@homeport/contract/limits';
import type { ps } from '@homeport/dokku';
import { expect, test } from 'vitest';
import { type AppRow, hasNewFacts } from '../../records/app-record.ts';
import type { Ran } from '../../remote/run-command.ts';
import type { ReachedApp } from '../reach-app.ts';
import { crashOf } from './app-state.ts';
import { readStorage } from './read-details.ts';

/** What a linked server may answer, whoever made its programs. */

test('of a crash as many containers are kept as an app may have, with names of a length', () => {
  const ended = {
    ...{ name: 'n'.repeat(5_000), state: 'exited', exitCode: 1, restarts: 0, outOfMemory: false, endedAt: 7 },
  } as ps.ContainerState;
  const crash = crashOf(Array.from({ length: 5_000 }, () => ended));
  expect(crash.processes).toHaveLength(containersPerApp);
  expect(crash.processes[0]?.name).toHaveLength(100);
});

test('domains and addresses that no app can have are not kept', () => {
  const app = { domains: ['shop.test'], url: null } as unknown as AppRow;
  expect(hasNewFacts(app, { domains: ['x'.repeat(254), 'shop.test'] })).toBe(false);
  expect(hasNewFacts(app, { url: `http://${'x'.repeat(300)}` })).toBe(false);
  expect(hasNewFacts(app, { domains: ['x'.repeat(253), 'shop.test'] })).toBe(true);
});

test('folders beyond as many as an app may have are neither told nor measured', async () => {
  const told = Array.from({ length: 5_000 }, (_none, index) => ({
    ...{ host_path: `/data/${index}`, container_path: '/data' },
  }));
  let measured = 0;
  const run = async (command: {
    words: readonly string[];
  }): Promise<Pick<Ran, 'exitCode' | 'stdout' | 'stderr'>> => {
    if (!command.words.includes('du')) return { exitCode: 0, stdout: JSON.stringify(told), stderr: '' };
    measured += 1;
    return { exitCode: 0, stdout: '7\t/data', stderr: '' };
  };
  const mounts = await readStorage({
    app: { longname: 'shop' },
    run,
    runAsRoot: null,
  } as unknown as ReachedApp);
  expect([mounts.length, measured]).toEqual([mountsPerApp, mountsPerApp]);
});
