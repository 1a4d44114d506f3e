import { describe, expect, it } from 'vitest';
import { fleetSentence, greeting } from './greeting.ts';

const now = new Date(2026, 10, 16, 14, 5).getTime();
const line = (name: string, status: 'online' | 'offline' | 'no-data' | null, updated = now) => ({
  server: { key: name, name },
  status,
  stats: status === 'online' || status === 'offline' ? { update_time: updated } : null,
});
const at = (hour: number, minute: number) => new Date(2026, 10, 16, hour, minute).getTime();

describe('the greeting', () => {
  it.each([
    [4, 'Good evening, Ines'],
    [5, 'Good morning, Ines'],
    [12, 'Good afternoon, Ines'],
    [18, 'Good evening, Ines'],
  ])('at %i h is %s', (hour, text) => {
    expect(greeting('Ines Costa', hour)).toBe(text);
  });
});

describe('the sentence about the servers', () => {
  it('counts the servers, and names the one that went offline last', () => {
    const lines = [
      line('lantern', 'online'),
      line('fairway', 'offline', at(13, 52)),
      line('skerry', 'offline', at(9, 0)),
      line('mole', 'no-data'),
    ];
    expect(fleetSentence(lines, now)).toEqual({
      text: '1 of 4 servers is online.',
      about: { key: 'fairway', name: 'fairway', text: 'has been offline since 13:52.' },
    });
  });

  it('gives the date of an outage that is older than a day', () => {
    const lines = [line('fairway', 'offline', new Date(2026, 10, 2).getTime())];
    expect(fleetSentence(lines, now).about?.text).toMatch(/since .*2026 at 00:00\.$/);
  });

  it('says that an outage began yesterday, also when a day has not passed', () => {
    const lines = [line('fairway', 'offline', new Date(2026, 10, 15, 18, 10).getTime())];
    expect(fleetSentence(lines, now).about?.text).toBe('has been offline since yesterday at 18:10.');
  });

  it.each([
    [[line('a', 'online')], 'a is online.'],
    [[line('a', 'no-data')], 'a has sent no data yet.'],
    [[line('a', 'online'), line('b', 'online')], 'Both servers are online.'],
    [
      [line('a', 'no-data'), line('b', 'no-data'), line('c', 'no-data')],
      'None of your 3 servers has reported yet.',
    ],
  ])('fits %#', (lines, text) => {
    expect(fleetSentence(lines, now)).toEqual({ text, about: null });
  });

  it('says that none is online once one of them has reported', () => {
    const lines = [line('a', 'no-data'), line('b', 'offline')];
    expect(fleetSentence(lines, now).text).toBe('None of your 2 servers is online.');
  });

  it('says nothing while a status is unknown', () => {
    const lines = [line('a', 'online'), line('b', null)];
    expect(fleetSentence(lines, now)).toEqual({
      text: 'The state of your servers is not known yet.',
      about: null,
    });
  });
});
