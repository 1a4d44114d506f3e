import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { wrongSettings } from './check-settings.mjs';
import { root } from './install.mjs';

it('names each setting that cannot work, without its value', () => {
  const wrong = {
    HOMEPORT_PORT: 'http',
    HOMEPORT_PROXY_MEMORY: '12',
    HOMEPORT_SIGNUPS: 'opne',
    HOMEPORT_DEMO: 'yes',
    DATABASE_URL: 'mysql://a:hunter2@b/c',
    HOMEPORT_PRT: '7070',
  };
  expect(wrongSettings(wrong)).toEqual([
    'HOMEPORT_PORT is not a whole number from 1 to 65535.',
    'HOMEPORT_PROXY_MEMORY is not a whole number from 64 to 65536.',
    'HOMEPORT_SIGNUPS is not one of closed, invite, open.',
    'HOMEPORT_DEMO is not one of true, false.',
    'DATABASE_URL does not have the form of its values.',
    'HOMEPORT_PRT is not a setting of Homeport.',
  ]);
});

it('takes settings that work, empty ones and those of tests', () => {
  const right = {
    PATH: '/bin',
    HOMEPORT_PORT: '7071',
    HOMEPORT_DEMO: 'true',
    HOMEPORT_HOST: '',
    HOMEPORT_TEST_X: '1',
    HOMEPORT_PROMOS: '[]',
    HOMEPORT_ONLY: 'api,web',
    HOMEPORT_PING_TARGETS: 'eu=a.example,us=b.example,asia=c.example',
    DATABASE_URL: 'postgresql://a@b/c',
  };
  expect(wrongSettings(right)).toEqual([]);
});

it('refuses a wrong setting before anything is installed or built', () => {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-start-'));
  try {
    for (const path of ['scripts', 'homeport/settings.json', 'package.json'])
      cpSync(join(root, path), join(folder, path), { recursive: true });
    const ran = spawnSync(process.execPath, [join(folder, 'scripts/start.mjs')], {
      encoding: 'utf8',
      timeout: 30_000,
      env: { PATH: process.env.PATH, HOMEPORT_PORT: 'http' },
    });
    expect({ status: ran.status, printed: ran.stdout + ran.stderr }).toEqual({
      status: 1,
      printed: 'HOMEPORT_PORT is not a whole number from 1 to 65535.\n',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
