import { type CloudflareProcess, startCloudflare } from '@homeport/stand-ins/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCloudflare } from '../cloudflare/client.ts';
import { createLimiter } from '../cloudflare/limiter.ts';
import { wildcardMaker } from './wildcard.ts';

let cloudflare: CloudflareProcess;
const token = `cfut_${'o'.repeat(48)}`;
const pier = { subdomain: 'pier', ip: '198.51.100.7' };
const maker = (appDomain = 'apps.example.com') =>
  wildcardMaker(createCloudflare({ baseUrl: cloudflare.url, limiter: createLimiter(Date.now) }), {
    appDomain,
    token,
  });

beforeEach(async () => {
  cloudflare = await startCloudflare();
  await cloudflare.grant({ secret: token });
});
afterEach(() => cloudflare[Symbol.asyncDispose]());

test('a claimed subdomain gets its wildcard once, DNS only', async () => {
  const zone = await cloudflare.addZone('example.com');
  expect(await maker()(pier)).toEqual({ note: '*.pier.apps.example.com leads to 198.51.100.7 now.' });
  expect(await maker()(pier)).toEqual({ note: '*.pier.apps.example.com leads to 198.51.100.7 already.' });
  expect(await cloudflare.recordsOf(zone)).toMatchObject([
    { type: 'A', name: '*.pier.apps.example.com', content: '198.51.100.7', proxied: false },
  ]);
});

test('a name that is claimed again leads to the new server', async () => {
  const zone = await cloudflare.addZone('example.com');
  await maker()({ ...pier, ip: '203.0.113.9' });
  expect(await cloudflare.recordsOf(zone)).toMatchObject([{ content: '203.0.113.9' }]);
  await maker()(pier);
  expect((await cloudflare.recordsOf(zone)).map(({ content }) => content)).toEqual(['198.51.100.7']);
});

test('a record that the operator made stays, and the person is told', async () => {
  const zone = await cloudflare.addZone('example.com');
  for (const comment of [undefined, 'our own'])
    await cloudflare.addRecord(zone, {
      ...{ type: 'A', name: comment ? '*.quay.apps' : '*.pier.apps', content: '203.0.113.9' },
      ...(comment !== undefined && { comment }),
    });
  for (const subdomain of ['pier', 'quay'])
    expect(await maker()({ ...pier, subdomain })).toMatchObject({
      state: 'warned',
      note: expect.stringContaining('that Homeport did not make'),
    });
  expect((await cloudflare.recordsOf(zone)).map(({ content }) => content)).toEqual([
    ...['203.0.113.9', '203.0.113.9'],
  ]);
});

test('records of another type stay, and the person is told', async () => {
  const zone = await cloudflare.addZone('example.com');
  await cloudflare.addRecord(zone, { type: 'CNAME', name: '*.pier.apps', content: 'elsewhere.example' });
  expect(await maker()(pier)).toMatchObject({ state: 'warned', note: expect.stringContaining('and stay') });
  expect(await cloudflare.recordsOf(zone)).toHaveLength(1);
});

test('a token without the zone, and a Cloudflare that does not answer, are warnings', async () => {
  expect(await maker()(pier)).toMatchObject({
    state: 'warned',
    note: expect.stringContaining('lists no zone'),
  });
  await cloudflare.answerBadly('hang_up');
  expect(await maker()(pier)).toMatchObject({
    state: 'warned',
    note: expect.stringContaining('Make the record A *.pier.apps.example.com to 198.51.100.7 by hand.'),
  });
});

test('an IPv6 address gets an AAAA record, also in place of an earlier server’s A record', async () => {
  const inZone = await cloudflare.addZone('example.com');
  const six = { ...pier, ip: '2001:db8::7' };
  await maker()(pier);
  expect(await maker()(six)).toEqual({ note: '*.pier.apps.example.com leads to 2001:db8::7 now.' });
  expect(await maker()(six)).toEqual({ note: '*.pier.apps.example.com leads to 2001:db8::7 already.' });
  expect(await cloudflare.recordsOf(inZone)).toMatchObject([{ type: 'AAAA', content: '2001:db8::7' }]);
});

test('a name gets no record in the operator’s zone, and what stands there stays', async () => {
  const inZone = await cloudflare.addZone('example.com');
  await maker()(pier);
  expect(await maker()({ ...pier, ip: 'vps.example.net' })).toEqual({
    state: 'warned',
    note: expect.stringContaining(
      'known by the name vps.example.net, whose holder could lead the record elsewhere',
    ),
  });
  expect(await cloudflare.recordsOf(inZone)).toMatchObject([{ type: 'A', content: '198.51.100.7' }]);
});
