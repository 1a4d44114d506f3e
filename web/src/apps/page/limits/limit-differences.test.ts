import type { Resources } from '@homeport/contract/apps/settings-schema';
import { expect, test } from 'vitest';
import { limitDifferences, limitsText, quietLimits } from './limit-differences.ts';

const mb = 1024 * 1024;
const web = {
  name: 'web.1',
  state: 'running',
  memoryBytes: 512 * mb,
  cpus: 0.5,
  restarts: 0,
  outOfMemory: false,
};
const asPlanned: Resources = { memoryMb: 512, cpus: 0.5, hostCpus: 2, containers: [web] };

test('shows no difference when the server and its containers have the plan’s limits', () => {
  expect(limitDifferences(asPlanned, 3)).toEqual([]);
  expect(limitDifferences({ ...asPlanned, containers: null }, 3)).toEqual([]);
});

test('names limits on the server that differ from the plan or are unset', () => {
  const other = { ...asPlanned, memoryMb: 1024, containers: [] };
  expect(limitDifferences(other, 3)).toEqual([
    'Plan 3 gives 512 MB and 0.5 CPUs, but 1024 MB and 0.5 CPUs are set on the server. Choose a plan to set its limits again.',
  ]);
  expect(limitDifferences({ ...asPlanned, memoryMb: null, cpus: null, containers: [] }, 3)[0]).toContain(
    'but no memory limit and no CPU limit is set',
  );
});

test('names a container that is older than the limits, with its own limits', () => {
  const old = { ...asPlanned, containers: [web, { ...web, name: 'worker.1', memoryBytes: null, cpus: 1 }] };
  expect(limitDifferences(old, 3)).toEqual([
    'worker.1 runs with no memory limit and 1 CPU: what is set holds from its next restart on.',
  ]);
});

test('shows limits in the plan’s units', () => {
  expect(limitsText({ memoryMb: 64, cpus: 0.16 })).toBe('64 MB and 0.16 CPUs');
});

test('says limits that hold everywhere in one sentence', () => {
  expect(quietLimits(asPlanned)).toBe(
    '512 MB and 0.5 CPUs, for web.1 and new containers. The server has 2 CPUs.',
  );
  expect(quietLimits({ ...asPlanned, containers: [] })).toBe(
    '512 MB and 0.5 CPUs, for new containers. The server has 2 CPUs.',
  );
});

test('has no such sentence where a container has a fact of its own, or something is not known', () => {
  for (const own of [{ state: 'exited' }, { outOfMemory: true }, { restarts: 1 }])
    expect(quietLimits({ ...asPlanned, containers: [{ ...web, ...own }] })).toBeNull();
  expect(quietLimits({ ...asPlanned, containers: null })).toBeNull();
  expect(quietLimits({ ...asPlanned, hostCpus: null })).toBeNull();
  expect(quietLimits({ ...asPlanned, cpus: 4 })).toBeNull();
});
