import { appName, sites } from '@homeport/dokku';
import { expect, it, test } from 'vitest';
import { refusalOf } from './site-endings.ts';

const app = appName('ledger');
const ended = (exitCode: number | null, stdout = '') => refusalOf(app, { exitCode, stdout, stderr: '' });
const emerg = (where: string) =>
  `2026/11/21 08:00:18 [emerg] 16571#16571: "send_timeout" directive invalid value in ${where}\n`;

const told: Readonly<Record<Exclude<sites.Ending, 'changed'>, RegExp>> = {
  notBegun: /Nothing was changed\.$/,
  busy: /^Another change of a site is at work on this server\. Nothing was changed\.$/,
  putBack: /What stood there before holds again\.$/,
  notReloaded: /is set again, but nginx could not be reloaded with it\.$/,
  notPutBack: /could not be put back whole\.$/,
  earlierLeft: /An earlier change was cut off, .* This one was not begun\.$/,
  noApp: /Nothing of this holds\.$/,
};

it.each(Object.entries(told))('%s has a sentence of its own', (ending, sentence) => {
  const problem = ended(sites.endings[ending as sites.Ending]);
  expect(problem.message).toMatch(sentence);
  const others = Object.values(sites.endings).filter(
    (code) => code !== sites.endings[ending as sites.Ending],
  );
  expect(others.map((code) => ended(code).message)).not.toContain(problem.message);
  expect(problem.details.recovery).not.toBe('');
});

it.each([1, 2, 127, 130, 137, 143, 255, 0, null])('of %s nothing is promised', (code) => {
  expect(ended(code).message).toContain('It is not known what holds on the server.');
  expect(ended(code).message).not.toMatch(/holds again|Nothing was changed/);
});

test('the app whose files nginx names is the cause, and one whose name is a part of the path is not', () => {
  const of = (where: string) => ended(sites.endings.putBack, emerg(where)).details.recovery;
  expect(of('/home/dokku/ledger/nginx.conf:51')).toContain('what else is set for this app');
  expect(of('/home/dokku/ledger/nginx.conf.d/hsts.conf:1')).toContain('what else is set for this app');
  expect(of('/home/dokku/books/nginx.conf:51')).toContain('another app, books.');
  expect(of('/etc/nginx/conf.d/ledger.conf:3')).toContain('outside of this app');
});

test('an older plugin and a deploy that goes on are told as such', () => {
  const unknown = (command: string) => ` !     \`${command}\` is not a dokku command.\n`;
  expect(ended(1, unknown('homeport:site-write')).message).toContain('no plugin of Homeport’s');
  expect(ended(14, unknown('nginx:reload')).message).toContain('could not be put back whole');
  const locked = ' !     ledger currently has a deploy lock in place. Exiting...\n';
  expect(ended(sites.endings.notBegun, locked).message).toBe(
    'A deploy or a change of this app holds its lock. Nothing was changed.',
  );
});
