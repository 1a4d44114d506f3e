import { slugOf } from '@homeport/contract/apps/default-domain';
import { describe, expect, test } from 'vitest';
import { appNameSchema, newAppNameSchema } from './app-name.ts';
import { domainNameSchema, newDomainSchema } from './domain-name.ts';
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
      newDomainSchema,
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

  test('a server keeps domains that people may not give', () => {
    expect(domainNameSchema.parse('a_b.com')).toBe('a_b.com');
    expect(newDomainSchema.safeParse('a_b.com').success).toBe(false);
    expect(newDomainSchema.safeParse('1.2.3.4').success).toBe(false);
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
