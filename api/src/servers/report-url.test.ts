import { ownerFromSession } from '@homeport/store';
import { expect, test } from 'vitest';
import type { Looked, ServerAddresses } from '../remote/server-addresses.ts';
import { createReportUrl } from './report-url.ts';

const names: Record<string, Looked> = {
  'here.example.com': { kind: 'found', addresses: ['127.0.0.1', '198.51.100.7'] },
  'mixed.example.com': { kind: 'found', addresses: ['127.0.0.1', '203.0.113.9'] },
  'none.example.com': { kind: 'none' },
  'silent.example.com': { kind: 'unknown' },
};
const addresses: ServerAddresses = {
  of: async (_owner, { ip }) => names[ip] ?? { kind: 'found', addresses: [ip] },
  ofEach: async () => [],
};
const isOwn = (address: string) => ['127.0.0.1', '::1', '198.51.100.7'].includes(address);
const urlOf = (ip: string, publicUrl = 'http://localhost:7070') =>
  createReportUrl({ publicUrl, addresses, isOwn })(
    ownerFromSession('ines'),
    { ip, port: 22 },
    new AbortController().signal,
  );

test.each(['127.0.0.1', '::1', '198.51.100.7', 'here.example.com'])(
  'the agent of this machine reports to a console that answers here alone: %s',
  async (ip) => {
    expect(await urlOf(ip)).toBe('http://localhost:7070');
  },
);

test.each(['203.0.113.9', 'mixed.example.com', 'none.example.com'])(
  'the agent of another machine cannot report to it: %s',
  async (ip) => {
    await expect(urlOf(ip)).rejects.toMatchObject({
      code: 'unavailable',
      details: { recovery: expect.stringContaining('HOMEPORT_PUBLIC_URL') },
    });
  },
);

test('a name that nobody can look up now is not called another machine', async () => {
  await expect(urlOf('silent.example.com')).rejects.toMatchObject({
    message: expect.stringContaining('could not be looked up'),
  });
});

test('any agent reports to a console with an address for other machines', async () => {
  for (const ip of ['203.0.113.9', 'silent.example.com'])
    expect(await urlOf(ip, 'https://console.example.com')).toBe('https://console.example.com');
});
