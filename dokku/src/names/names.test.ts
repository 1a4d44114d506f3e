import { slugOf } from '@homeport/contract/apps/default-domain';
import { describe, expect, test } from 'vitest';
import { appNameSchema, newAppNameSchema } from './app-name.ts';
import { domainNameSchema } from './domain-name.ts';
import { envKeySchema } from './env-key.ts';
import { makeLongname } from './longname.ts';
import { sshKeyNameSchema } from './ssh-key-name.ts';

const hostile = [
  "'; rm -rf /",
  '$(id)',
  'a\nb',
  'a\0b',
  '../x',
  '<b>',
  '🚀',
  'x'.repeat(10_000),
  '',
  ' ',
  '--app',
  '-x',
];

describe('names', () => {
  test.each(hostile)('no name takes %j', (text) => {
    for (const schema of [
      newAppNameSchema,
      appNameSchema,
      sshKeyNameSchema,
      domainNameSchema,
      envKeySchema,
    ]) {
      expect(schema.safeParse(text).success).toBe(false);
    }
  });

  test.each(['a', 'my-app', '9lives', `a${'b'.repeat(39)}`])('a new app may be called %s', (name) => {
    expect(newAppNameSchema.safeParse(name).success).toBe(true);
  });

  test.each(['a-', 'a.b', 'My', 'a_b', `a${'b'.repeat(40)}`, '-a'])(
    'a new app may not be called %s',
    (name) => {
      expect(newAppNameSchema.safeParse(name).success).toBe(false);
    },
  );

  test('an imported app may have the characters of older names', () => {
    expect(appNameSchema.safeParse('old_app.v2').success).toBe(true);
    expect(appNameSchema.safeParse('_old').success).toBe(false);
  });

  test.each(['example.com', 'a-b.example.co.uk', '*.wild.example.com', 'xn--bcher-kva.example'])(
    '%s is a domain',
    (d) => {
      expect(domainNameSchema.parse(d)).toBe(d);
    },
  );

  test.each(['a..b', '-x.com', 'x-.com', 'localhost', '1.2.3.4', 'a.*.com', 'a_b.com', 'http://a.com'])(
    '%s is no domain',
    (d) => {
      expect(domainNameSchema.safeParse(d).success).toBe(false);
    },
  );

  test('makes the capital letters of a domain small', () => {
    expect(domainNameSchema.parse(' CAPS.Example.COM ')).toBe('caps.example.com');
  });

  test.each([...hostile, 'Ärger über Öl', 'My App!', 'a'.repeat(39), '-'.repeat(60)])(
    '%j gives a valid longname',
    (name) => {
      expect(newAppNameSchema.safeParse(makeLongname(name)).success).toBe(true);
    },
  );

  test('a longname is the slug and a random suffix', () => {
    expect(makeLongname('My First App', 'abc123')).toBe('my-first-app-abc123');
    expect(slugOf('Ärger über Öl')).toBe('arger-uber-ol');
    expect(slugOf('🚀')).toBe('app');
    expect(makeLongname('x')).not.toBe(makeLongname('x'));
  });
});
