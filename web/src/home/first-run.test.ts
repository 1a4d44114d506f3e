import { expect, test } from 'vitest';
import { firstSteps } from './first-run.ts';

const line = (name: string, kind: 'own' | 'simulated' | 'sandbox') => ({
  server: { name, simulated: kind === 'simulated', sandbox: kind === 'sandbox' },
});
const fleet = [line('sim-web-1', 'simulated'), line('sim-db-2', 'simulated')];
const app = { id: 'a-1' };

test('nothing, and a fleet of simulated servers, are the first run', () => {
  expect(firstSteps([], [])).toEqual({ sandbox: null });
  expect(firstSteps([], undefined)).toEqual({ sandbox: null });
  expect(firstSteps(fleet, [])).toEqual({ sandbox: null });
});

test('the demo’s sandbox is a server for the first app, until it has one', () => {
  const demo = [line('harbour-sandbox', 'sandbox'), ...fleet];
  expect(firstSteps(demo, [])).toEqual({ sandbox: 'harbour-sandbox' });
  expect(firstSteps(demo, [app])).toBeNull();
  // The list could not be read.
  expect(firstSteps(demo, undefined)).toBeNull();
});

test('a server of the person’s own ends the first run', () => {
  expect(firstSteps([...fleet, line('lantern', 'own')], [])).toBeNull();
});
