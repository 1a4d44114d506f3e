import { describe, expect, it } from 'vitest';
import { initialChoice, offerServers, type ServerOffer } from './server-offer.ts';

const offer = (id: string, refusal: string | null) =>
  ({ server: { id, key: `key-${id}`, name: `Server ${id}` }, refusal, note: '' }) as unknown as ServerOffer;
const open = offer('open', null);
const metal = offer('metal', 'Bare metal: no app platform');

describe('the server that the form chooses at first', () => {
  it('is the server of the address, by key or id', () => {
    const offers = [offer('other', null), open];
    expect(initialChoice(offers, 'open', 'app')).toEqual({ serverId: 'open', problem: null });
    expect(initialChoice(offers, 'key-open', 'app')).toEqual({ serverId: 'open', problem: null });
  });

  it('is the only available server if the address names none', () => {
    expect(initialChoice([open, metal], undefined, 'app')).toEqual({ serverId: 'open', problem: null });
    expect(initialChoice([open, offer('other', null)], undefined, 'app')).toEqual({
      serverId: null,
      problem: null,
    });
  });

  it('is none, with the reason, if the server of the address takes no app', () => {
    expect(initialChoice([open, metal], 'key-metal', 'app')).toEqual({
      serverId: null,
      problem:
        'Server metal takes no app now (Bare metal: no app platform). Choose another server, or come back later.',
    });
  });

  it('is none, with the reason, if the address names no server of the user', () => {
    const { serverId, problem } = initialChoice([open], 'gone', 'app');
    expect(serverId).toBeNull();
    expect(problem).toContain('not one of yours');
  });

  it('says what the server does not take', () => {
    expect(initialChoice([metal], 'metal', 'database').problem).toContain('takes no database now');
    expect(initialChoice([metal], 'gone', 'database').problem).toContain('the server for the database');
  });
});

describe('what the form says of a server', () => {
  const at = Date.parse('2026-11-25T16:00:00Z');
  const each = (changes: Record<string, unknown>, status = 'online') =>
    [
      {
        server: {
          ...{
            id: 'a',
            simulated: false,
            credential: 'k',
            metal: false,
            setup: 'ready',
            dokkuVersion: '0.38.27',
          },
          ...changes,
        },
        stats: { update_time: at - 12 * 60_000, ram_total: 2 * 1024 ** 3, ram_usage: 1024 ** 3 },
        status,
      },
    ] as unknown as Parameters<typeof offerServers>[0];
  const said = (servers: Parameters<typeof offerServers>[0]) =>
    offerServers(servers, [], 'app', at).map(({ refusal, note }) => refusal ?? note);

  it('offers a server whose agent is silent, and says since when', () => {
    expect(said(each({}, 'offline'))).toEqual([
      '0 apps, last report 12 min ago. Homeport tries the server all the same',
    ]);
  });

  it('offers a server with Dokku although its installation stopped', () => {
    expect(said(each({ setup: 'failed' }))).toEqual(['0 apps, 1 GB RAM free']);
  });

  it.each(['new', 'failed'])(
    'offers a %s server on which no Dokku was found, but never by itself',
    (setup) => {
      const servers = each({ setup, dokkuVersion: null });
      expect(said(servers)).toEqual(['Dokku is not known to be there. Homeport asks the server']);
      const offers = offerServers(servers, [], 'app', at);
      expect(offers[0]?.refusal).toBeNull();
      expect(initialChoice(offers, undefined, 'app')).toEqual({ serverId: null, problem: null });
    },
  );
});
