import { describe, expect, it } from 'vitest';
import { serverStatuses } from '../servers/health.ts';
import { databaseStates } from './facts.ts';
import {
  databaseStatus,
  databaseStatusAdvice,
  databaseStatuses,
  databaseStatusText,
  isDatabaseDown,
} from './health.ts';

const combinations = databaseStates.flatMap((state) =>
  [true, false].flatMap((stopped) =>
    [...serverStatuses, undefined].map((server) => ({
      state,
      stopped,
      server,
      status: databaseStatus({ state, stopped }, server),
    })),
  ),
);

describe(`the status of a database, over all ${combinations.length} combinations`, () => {
  it('is Online exactly where it runs, nobody stopped it, and its server is not offline', () => {
    expect(combinations.filter(({ status }) => status === 'online')).toEqual(
      combinations.filter(
        ({ state, stopped, server }) => state === 'running' && !stopped && server !== 'offline',
      ),
    );
  });

  it('is Paused where somebody stopped it, unless the server tells of no container or of restarts', () => {
    for (const { state, stopped, status } of combinations) {
      const told = state === 'missing' || state === 'restarting';
      expect(status === 'paused').toBe(!told && (stopped || state === 'paused'));
    }
  });

  it('tells of a removed container and of restarts whoever stopped it', () => {
    for (const { state, status } of combinations) {
      expect(status === 'missing').toBe(state === 'missing');
      expect(status === 'restarting').toBe(state === 'restarting');
    }
  });

  it('depends on the server’s reports only where it would be Online', () => {
    for (const { state, stopped, server, status } of combinations) {
      const heard = databaseStatus({ state, stopped }, 'online');
      expect(status).toBe(server === 'offline' && heard === 'online' ? 'server-offline' : heard);
    }
  });

  it('is each of the statuses somewhere', () => {
    expect(new Set(combinations.map(({ status }) => status))).toEqual(new Set(databaseStatuses));
  });
});

describe('a status of a database', () => {
  it('has words that no other status has, the specified ones for Online and Paused', () => {
    expect(new Set(databaseStatuses.map(databaseStatusText)).size).toBe(databaseStatuses.length);
    expect([databaseStatusText('online'), databaseStatusText('paused')]).toEqual(['Online', 'Paused']);
  });

  it('has a way out unless the database is online', () => {
    for (const status of databaseStatuses)
      expect(databaseStatusAdvice(status, null) === null).toBe(status === 'online');
  });

  it('tells how a crashed database ended, as far as its server knows', () => {
    const told = (ending: Parameters<typeof databaseStatusAdvice>[1]) =>
      databaseStatusAdvice('crashed', ending)?.split('.')[0];
    expect(told(null)).toBe('This database ended, and nobody stopped it');
    expect(told({ exitCode: 139, outOfMemory: false })).toBe(
      'This database ended with exit code 139, and nobody stopped it',
    );
    expect(told({ exitCode: 137, outOfMemory: true })).toBe(
      'This database used up its memory, and its server ended it',
    );
  });

  it('says of an end that nobody explains neither that somebody stopped the database nor that it crashed', () => {
    expect(databaseStatusText('ended')).toBe('Ended');
    expect(databaseStatusAdvice('ended', null)).toContain(
      'does not report whether it crashed or somebody stopped it',
    );
  });

  it('is down where nobody stopped the database and it does not run', () => {
    expect(databaseStatuses.filter(isDatabaseDown)).toEqual([
      'crashed',
      'ended',
      'restarting',
      'missing',
      'created',
    ]);
  });
});
