import type { SimulatedServer } from '@homeport/monitor';

const places = [
  'harbour',
  'pier',
  'quay',
  'lagoon',
  'reef',
  'delta',
  'fjord',
  'atoll',
  'cove',
  'strait',
] as const;
const purposes = ['web', 'api', 'db', 'cache', 'worker', 'search', 'mail', 'build'] as const;

/** A name as people give servers, and of ten one offline and of twenty one that never reported. */
export function describeSimulated(number: number): SimulatedServer {
  const purpose = purposes[(number - 1) % purposes.length];
  const place = places[Math.floor((number - 1) / purposes.length) % places.length];
  const state = number % 20 === 13 ? 'silent' : number % 10 === 7 ? 'offline' : 'reporting';
  return {
    name: `sim-${purpose}-${place}-${number}`,
    description: 'Simulated: its numbers are made up.',
    state,
  };
}
