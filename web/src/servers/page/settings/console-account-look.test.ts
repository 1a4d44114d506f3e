import { expect, it } from 'vitest';
import { consoleAccountLook } from './console-account-look.ts';

const keys = [
  { id: 'k1', name: 'old laptop', fingerprint: 'SHA256:old' },
  { id: 'k2', name: 'laptop', fingerprint: 'SHA256:new' },
];
type Account = Parameters<typeof consoleAccountLook>[0];
const server: Account = {
  ...{ accountKey: 'SHA256:new', consoleAccount: true, credential: 'k2', metal: false, username: 'root' },
};
const text = (changes: Partial<Account>) => {
  const look = consoleAccountLook({ ...server, ...changes }, keys);
  return look && [`${look.before}${look.key}${look.after}`, look.action];
};

it('names the key that the account accepts, and the remedy for an earlier key', () => {
  expect(text({})).toEqual(['homeport lets in the key laptop. App actions run through it.', null]);
  expect(text({ accountKey: 'SHA256:old', consoleAccount: false })).toEqual([
    'homeport still lets in the key old laptop. Until it is updated, root does all work.',
    'Update',
  ]);
  expect(text({ accountKey: 'SHA256:gone', consoleAccount: false })).toEqual([
    'homeport still lets in the key SHA256:gone. Until it is updated, root does all work.',
    'Update',
  ]);
  expect(text({ credential: 'password', consoleAccount: false })).toEqual([
    'homeport still lets in the key laptop, though the server is managed with a password.',
    'Take the key away',
  ]);
  expect(text({ credential: null, consoleAccount: false })).toEqual([
    'homeport still lets in the key laptop, which Homeport no longer uses. Remove the account on the machine to close it.',
    null,
  ]);
});

it('shows no warning for an unused account on a server without app actions', () => {
  expect(text({ consoleAccount: false, metal: true })).toEqual(['homeport lets in the key laptop.', null]);
  expect(text({ consoleAccount: false })).toEqual([
    'homeport lets in the key laptop, but is not in use: root does all work.',
    'Update',
  ]);
});

it('says nothing without such an account', () => {
  expect(text({ accountKey: null, consoleAccount: false })).toBeNull();
});
