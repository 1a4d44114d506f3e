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

/** Gives a server a realistic name. One server in ten is offline; one in twenty has never reported. */
export function describeSimulated(number: number): SimulatedServer {
  const purpose = purposes[(number - 1) % purposes.length];
  const place = places[Math.floor((number - 1) / purposes.length) % places.length];
  const state = number % 20 === 13 ? 'silent' : number % 10 === 7 ? 'offline' : 'reporting';
  return {
    name: `sim-${purpose}-${place}-${number}`,
    description: 'Simulated: its figures are made up.',
    state,
  };
}
