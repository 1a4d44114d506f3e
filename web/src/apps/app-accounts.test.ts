import { describe, expect, it } from 'vitest';
import { appsUser, missingUsers } from './app-accounts.ts';

const server = { id: 's', username: 'root', consoleAccount: true };

describe('the accounts of a creation', () => {
  it('are the given one and the console’s own where that exists', () => {
    expect(missingUsers(server, [])).toEqual(['root', 'homeport']);
    expect(missingUsers({ ...server, consoleAccount: false }, [])).toEqual(['root']);
  });
  it('leave out accounts that are connected already', () => {
    const live = [
      { serverId: 's', user: 'root' },
      { serverId: 'other', user: 'homeport' },
    ];
    expect(missingUsers(server, live)).toEqual(['homeport']);
  });
});

describe('the account of an app’s actions', () => {
  it('is the console’s own where it exists', () => {
    expect(appsUser(server)).toBe('homeport');
    expect(appsUser({ username: 'deploy', consoleAccount: false })).toBe('deploy');
  });
});
