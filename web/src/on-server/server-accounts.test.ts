import { describe, expect, it } from 'vitest';
import { appsUser, creationUsers, missingUsers } from './server-accounts.ts';

const server = { username: 'root', consoleAccount: true };

describe('the accounts of a creation', () => {
  it('are the given one and the console’s own where that exists', () => {
    expect(creationUsers(server)).toEqual(['root', 'homeport']);
    expect(creationUsers({ ...server, consoleAccount: false })).toEqual(['root']);
  });

  it('leave out accounts that are connected already', () => {
    const live = [
      { serverId: 's', user: 'root' },
      { serverId: 'other', user: 'homeport' },
    ];
    expect(missingUsers('s', creationUsers(server), live)).toEqual(['homeport']);
  });
});

describe('the account of an app’s actions', () => {
  it('is the console’s own where it exists', () => {
    expect(appsUser(server)).toBe('homeport');
    expect(appsUser({ username: 'deploy', consoleAccount: false })).toBe('deploy');
  });
});
