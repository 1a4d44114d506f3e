import { describe, expect, it } from 'vitest';
import type { FleetLine } from '../use-fleet.ts';
import { filterServers, noFilter, platformOf, urgency } from './server-rows.ts';

const line = (
  name: string,
  status: FleetLine['status'],
  loadPercent: number | null = null,
  ip = '192.0.2.1',
) =>
  ({
    server: { name, description: '', location: '', country: null, provider: null, ip },
    status,
    stats: loadPercent === null ? null : { load_percent: loadPercent },
  }) as unknown as FleetLine;

const fleet = [
  line('lantern', 'online', 21),
  line('skerry', 'online', 193, '192.0.2.61'),
  line('mole-two', 'no-data'),
  line('fairway', 'offline', 99),
];

describe('the order of servers', () => {
  it('is Offline, No data found, then the highest load', () => {
    const names = fleet
      .toSorted((a, b) => (urgency(a) ?? 0) - (urgency(b) ?? 0))
      .map(({ server }) => server.name);
    expect(names).toEqual(['fairway', 'mole-two', 'skerry', 'lantern']);
  });

  it('is unknown while the stats are unknown', () => {
    expect(urgency(line('x', null))).toBeNull();
  });
});

describe('the filter', () => {
  it('finds a place, by the words of a person, the country and the provider', () => {
    const { server, ...rest } = line('mole', 'online');
    const placed = {
      ...rest,
      server: { ...server, location: 'Attic', country: 'Norway', provider: 'Hetzner' },
    };
    for (const words of ['attic', 'norw', 'HETZ'])
      expect(filterServers([...fleet, placed], { ...noFilter, words }).lines).toEqual([placed]);
  });

  it('finds names and addresses in any case', () => {
    expect(filterServers(fleet, { ...noFilter, words: ' SKER ' }).lines).toEqual([fleet[1]]);
    expect(filterServers(fleet, { ...noFilter, words: '2.61' }).lines).toEqual([fleet[1]]);
  });

  it('counts each status with only the search words applied', () => {
    const { lines, counts } = filterServers(fleet, { words: 'e', status: 'offline' });
    expect(lines).toEqual([]);
    expect(counts).toEqual({ all: 3, online: 2, offline: 0, 'no-data': 1 });
  });
});

it('names the software of a server, or the reason why there is none yet', () => {
  const of = (setup: 'new' | 'ready' | 'failed', metal: boolean, changes = {}) =>
    platformOf({ server: { setup, metal, simulated: false, credential: 'password', ...changes } });
  expect(of('ready', false)).toBe('Dokku');
  expect(of('ready', true)).toBe('Bare metal');
  expect(of('new', false)).toBe('Not installed yet');
  expect(of('new', false, { simulated: true })).toBe('Dokku');
  expect(of('failed', true)).toBe('Installation failed');
  expect(of('new', false, { credential: null })).toBe('Not known');
  expect(of('ready', false, { credential: null })).toBe('Dokku');
});
