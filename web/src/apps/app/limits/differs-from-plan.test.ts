import { expect, it } from 'vitest';
import { differsFromPlan } from './differs-from-plan.ts';

it('sees limits that were changed or never set on the server', () => {
  expect(differsFromPlan({ memoryMb: 512, cpus: 0.5 }, 3)).toBe(false);
  expect(differsFromPlan({ memoryMb: 1024, cpus: 0.5 }, 3)).toBe(true);
  expect(differsFromPlan({ memoryMb: 512, cpus: null }, 3)).toBe(true);
});
