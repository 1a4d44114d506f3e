import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEnvironment } from './environment.ts';
import { type Setting, settings } from './settings.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-secrets-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function fileWith(text: string): Promise<string> {
  const file = join(folder, 'secret');
  await writeFile(file, text);
  return file;
}

const secret = 'a'.repeat(40);

test('a secret setting is read from the file that its _FILE variable names, without the last line break', async () => {
  expect(readEnvironment({ HOMEPORT_SECRET_FILE: await fileWith(`${secret}\n`) })).toEqual({
    HOMEPORT_SECRET: secret,
  });
  const url = 'postgresql://homeport@db/homeport';
  expect(readEnvironment({ DATABASE_URL_FILE: await fileWith(url) })).toEqual({ DATABASE_URL: url });
});

test('what the file holds passes the rule of the setting, and is never repeated', async () => {
  const file = await fileWith('short');
  expect(() => readEnvironment({ HOMEPORT_SECRET_FILE: file })).toThrow(
    /^HOMEPORT_SECRET has less than 32 characters\.$/,
  );
});

test('a setting that is given twice, a missing, an empty and a large file are refused by name', async () => {
  const file = await fileWith(secret);
  const refused = (env: Record<string, string>) => expect(() => readEnvironment(env));
  refused({ HOMEPORT_SECRET: secret, HOMEPORT_SECRET_FILE: file }).toThrow(
    'HOMEPORT_SECRET and HOMEPORT_SECRET_FILE are both set. Set one of them.',
  );
  refused({ HOMEPORT_SECRET_FILE: `${file}.no` }).toThrow(
    `HOMEPORT_SECRET_FILE names ${file}.no, which cannot be read: ENOENT.`,
  );
  refused({ HOMEPORT_SECRET_FILE: await fileWith('\n') }).toThrow(
    `HOMEPORT_SECRET_FILE names ${file}, which is empty.`,
  );
  refused({ HOMEPORT_SECRET_FILE: await fileWith('a'.repeat(16_385)) }).toThrow(
    'it has more than 16384 bytes',
  );
});

test('a pipe that nobody writes to does not hold the start up', () => {
  const pipe = join(folder, 'pipe');
  spawnSync('mkfifo', [pipe]);
  expect(() => readEnvironment({ HOMEPORT_SECRET_FILE: pipe })).toThrow('which is empty.');
});

test('only secret settings are read from files', () => {
  expect(() => readEnvironment({ HOMEPORT_PORT_FILE: '/etc/hostname' })).toThrow(
    'HOMEPORT_PORT_FILE is not a setting of Homeport.',
  );
  const secrets = Object.entries<Setting>(settings).flatMap(([name, { isSecret }]) =>
    isSecret ? [name] : [],
  );
  expect(secrets).toEqual([
    'DATABASE_URL',
    'DATABASE_URL_DIRECT',
    'HOMEPORT_SECRET',
    'HOMEPORT_SECRET_PREVIOUS',
    'HOMEPORT_SMTP_URL',
    'HOMEPORT_GITHUB_CLIENT_SECRET',
    'HOMEPORT_APP_DOMAIN_TOKEN',
    'HOMEPORT_PROXY_FRONT_SECRET',
  ]);
});
