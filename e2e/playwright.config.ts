import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

/**
 * Tests the whole program in Debian's own Chromium; nothing is downloaded. The flags keep the browser from contacting its vendor.
 * They switch its sandbox off, which needs privileges that root in a container does not have.
 */
const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);
const isRoot = process.getuid?.() === 0;

/**
 * No test asserts a time. This bounds the wait for what has to come, through a browser, a console, a server and a stand-in that share
 * two cores with another test's, and with other work that makes all of it ten times slower. A press waits like an expectation: what it
 * presses comes over the same way.
 */
const patienceMs = 60_000;

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  globalSetup: './global-setup.ts',
  outputDir: '../test-results/e2e',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Each step has its own bound, so this ends a test that goes round and round alone.
  timeout: 300_000,
  globalTimeout: 85 * 60_000,
  expect: { timeout: patienceMs },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    timezoneId: 'UTC',
    viewport: { width: 1440, height: 900 },
    actionTimeout: patienceMs,
    navigationTimeout: patienceMs,
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
