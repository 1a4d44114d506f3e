import type { DnsRecord, Zone } from '@homeport/contract/domains/schema';
import { describe, expect, test } from 'vitest';
import {
  newRecordForm,
  type RecordForm,
  recordFormAfter,
  recordFormOf,
  recordInputOf,
  recordProblems,
  standingAt,
} from './record-form.ts';

const zone: Zone = {
  id: '0'.repeat(32),
  name: 'northquay.example',
  shownName: 'northquay.example',
  status: 'active',
  type: 'full',
  paused: false,
  editable: true,
  createdAt: 0,
};
const record = (changes: Partial<DnsRecord>): DnsRecord => ({
  id: '1'.repeat(32),
  name: 'www.northquay.example',
  shownName: 'www.northquay.example',
  type: 'A',
  content: '203.0.113.24',
  ttl: 300,
  proxied: false,
  priority: null,
  caa: null,
  srv: null,
  comment: null,
  pointsAt: null,
  ...changes,
});
const form = (changes: Partial<RecordForm>): RecordForm => ({
  ...newRecordForm('203.0.113.24'),
  host: 'www',
  ...changes,
});

test('a new record is automatic and on Cloudflare', () => {
  expect(recordInputOf(form({}))).toEqual({
    type: 'A',
    host: 'www',
    content: '203.0.113.24',
    ttl: 1,
    proxied: true,
  });
});

test.each(['30', '59', '86401', '0', '', 'soon', '1.5'])(
  'a TTL of “%s” is refused in the specification’s words',
  (ttl) => {
    expect(recordProblems(form({ ttl, proxied: false })).ttl).toBe(
      'TTL must be between 60 and 86400, or 1 for automatic',
    );
  },
);

test.each(['1', '60', '86400'])('a TTL of %s is taken', (ttl) => {
  expect(recordProblems(form({ ttl, proxied: false }))).toEqual({});
});

test('the TTL of a proxied record is Cloudflare’s', () => {
  expect(recordInputOf(form({ ttl: '300' }))).toMatchObject({ ttl: 1 });
});

test('another type begins without the content of the one before', () => {
  expect(recordFormAfter(form({}), { kind: 'type', type: 'CNAME' }).content).toBe('');
});

describe('the form of a record', () => {
  test.each<[Partial<DnsRecord>, object]>([
    [{}, { type: 'A', host: 'www', ttl: 300 }],
    [{ name: 'northquay.example', shownName: 'northquay.example' }, { host: '@' }],
    [
      { type: 'TXT', content: 'v=spf1 -all' },
      { type: 'TXT', content: 'v=spf1 -all' },
    ],
    [{ type: 'MX', content: 'mail.example', priority: 5 }, { priority: 5 }],
    [
      { type: 'SRV', srv: { priority: 1, weight: 2, port: 443, target: 'a.example' } },
      { priority: 1, weight: 2, port: 443, target: 'a.example' },
    ],
    [
      { type: 'CAA', caa: { flags: 128, tag: 'iodef', value: 'mailto:a@b.example' } },
      { flags: 128, tag: 'iodef' },
    ],
  ])('%o sends what it read', (changes, sent) => {
    const read = recordFormOf(record(changes), zone);
    expect(read && recordInputOf(read)).toMatchObject(sent);
  });

  test('of another type is not edited', () => {
    expect(recordFormOf(record({ type: 'TLSA' }), zone)).toBeNull();
    expect(recordFormOf(record({ type: 'SRV' }), zone)).toBeNull();
  });
});

test('the records that a new one meets are those of its type and those that cannot stand beside it', () => {
  const records = [
    record({ id: 'a' }),
    record({ id: 'c', type: 'TXT' }),
    record({ id: 'd', name: 'api.northquay.example', shownName: 'api.northquay.example' }),
  ];
  const ids = (changes: Partial<RecordForm>) => standingAt(form(changes), zone, records).map(({ id }) => id);
  expect(ids({})).toEqual(['a']);
  expect(ids({ type: 'CNAME', host: 'WWW.northquay.example' })).toEqual(['a']);
  expect(ids({ type: 'TXT' })).toEqual(['c']);
  expect(ids({ host: 'new' })).toEqual([]);
});
