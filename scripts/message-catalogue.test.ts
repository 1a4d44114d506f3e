import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installDialogClosesAfterMs, noKeysRedirectMs, toastMs } from '@homeport/contract/limits';
import { appsImported, messages } from '@homeport/contract/messages';
import { describe, expect, it } from 'vitest';
import { root } from './install.mjs';

type Constant = keyof typeof messages;

/** What the specification's two catalogues have the console say about servers, keys, apps, databases and proxies, letter for letter. */
const catalogue: Record<string, Constant> = {
  // The first document, section 8.
  'You need at least one public key to can create an app. Redirecting to add a new key..': 'noKeys',
  'Key already added to server, Skipping': 'keyAlreadyAdded',
  'App Created': 'appCreated',
  'App Plan Selected': 'appPlanSelected',
  'Authentication Failed': 'authenticationFailed',
  'Not ready to install monitoring agent (no monitor id present)': 'noMonitorId',
  // The second document, section 8: errors.
  'Subdomains should only include letters and numbers': 'subdomainCharacters',
  'Ip already exists': 'ipExists',
  'Subdomain already exists for another project': 'subdomainOfOther',
  'Subdomain already claimed -- choose another': 'subdomainClaimed',
  'Monitoring Installation failed': 'monitoringFailed',
  'Server Bootstrap failed': 'bootstrapFailed',
  'Error setting up monitor': 'monitorFailed',
  'invalid key': 'invalidKey',
  // The second document, section 8: successes.
  'Database linked': 'databaseLinked',
  'Database exposed': 'databaseExposed',
  'Database Created': 'databaseCreated',
  'Database Deleted': 'databaseDeleted',
  'App Destroyed': 'appDestroyed',
  'App Restarted Successfully': 'appRestarted',
  'App Rebuilt Successfully': 'appRebuilt',
  'App Started Successfully': 'appStarted',
  'App Stopped Successfully': 'appStopped',
  'Storage added': 'storageAdded',
  'Domain added': 'domainAdded',
  'Domain removed': 'domainRemoved',
  'Enabled HTTPS Successfully': 'httpsEnabled',
  'LetsEncrypt email added successfully': 'letsEncryptEmailAdded',
  'App Config Updated': 'appConfigUpdated',
  'App Updated Successfully': 'appUpdated',
  'Success setting up monitor': 'monitorSetUp',
  'Name updated successfully.': 'nameUpdated',
  // Fixed texts of the screens themselves, sections 2 to 5 of both documents.
  'App is not running': 'appNotRunning',
  'Readme is long and cannot be displayed': 'readmeTooLong',
  Authenticated: 'authenticated',
  'Installing..': 'installing',
  'Verifying information': 'verifying',
  'Installing Server Monitoring': 'installingMonitoring',
  'Installing Dokku': 'installingDokku',
  'Configuring server': 'configuringServer',
  'Setup Completed!': 'setupCompleted',
  Online: 'online',
  Offline: 'offline',
  'No data found': 'noData',
  Running: 'running',
  Paused: 'paused',
  'No cloudflare access provided.': 'noCloudflare',
  'Click again to confirm deletion.': 'clickAgain',
  'Cache Purged': 'cachePurged',
  'Proxy Deleted': 'proxyDeleted',
  'Path cannot be / for Subdirectory proxy': 'subdirectoryOfAll',
  'Cannot update domain: This does not appear to be a domain you own': 'domainNotOwned',
};

/** Messages of what is not built yet: DNS records, Cloudflare. None may be said before it moves up. */
const notYet: Record<string, Constant | null> = {
  'Profile synced.': 'profileSynced',
  'TTL must be between 60 and 86400, or 1 for automatic': null,
  'Error updating record': null,
  'Error adding record': null,
  'Record added': null,
  'Record updated': null,
};

type Source = { path: string; text: string };

const files: readonly Source[] = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const isTest = ({ path }: Source) => /\.(?:test|spec)\.tsx?$/.test(path);
/** What the program is made of: no tests, no samples of the component gallery, and not the table of messages itself. */
const sources = files.filter(
  (file) =>
    /^(?:api|contract|monitor|proxy|rules|web|homeport)\/src\//.test(file.path) &&
    !isTest(file) &&
    !/\/gallery\/|\/messages\.ts$/.test(file.path),
);
const tests = files.filter((file) => isTest(file) && file.path !== 'scripts/message-catalogue.test.ts');

/** To compare with a message is not to say it. */
const isSaid = (constant: Constant) => {
  const use = new RegExp(`\\bmessages\\.${constant}\\b`);
  const comparison = new RegExp(`[!=]==\\s*messages\\.${constant}\\b`, 'g');
  return sources.some(({ text }) => use.test(text.replace(comparison, '')));
};
/** Whether a test of what the console does waits for these words: as a person reads them, or by their constant. */
const isExpected = (text: string, constant: Constant) => {
  const use = new RegExp(`\\bmessages\\.${constant}\\b`);
  return tests.some((test) => test.text.includes(text) || use.test(test.text));
};

describe('a message of the catalogues about servers, keys and apps', () => {
  it.each(Object.entries(catalogue))('%s', (text, constant) => {
    expect(messages[constant], 'letter for letter').toBe(text);
    expect(isSaid(constant), 'the program says it').toBe(true);
    expect(isExpected(text, constant), 'a test waits for it').toBe(true);
  });

  it('N Apps imported', () => {
    expect(appsImported(3)).toBe('3 Apps imported');
    expect(sources.some(({ text }) => /\bappsImported\(/.test(text))).toBe(true);
  });

  it('is one of these, or of what is to come', () => {
    const listed = new Set([...Object.values(catalogue), ...Object.values(notYet)]);
    const constants = Object.keys(messages) as Constant[];
    expect(constants.filter((constant) => !listed.has(constant))).toEqual([]);
  });
});

describe('a message of what is to come', () => {
  it.each(Object.entries(notYet))('%s is said nowhere yet', (text, constant) => {
    if (constant) expect(messages[constant]).toBe(text);
    expect(constant !== null && isSaid(constant)).toBe(false);
    const quoted = ["'", '"', '`'].map((quote) => quote + text + quote);
    expect(sources.filter((source) => quoted.some((each) => source.text.includes(each)))).toEqual([]);
    expect(Object.values<string>(messages).includes(text)).toBe(constant !== null);
  });
});

it('a page takes the words of a state from the contract’s function for that state', () => {
  const own = /\bmessages\.(?:online|offline|running|paused)\b/;
  expect(
    sources.filter(({ path, text }) => path.startsWith('web/') && own.test(text)).map(({ path }) => path),
  ).toEqual([]);
});

// That each is kept: web/src/operations/operation-toasts.test.ts, web/src/servers/install-look.test.ts and e2e/credentials.spec.ts.
it('a message stays as long as the specification says', () => {
  expect({ ...toastMs, noKeysRedirectMs, installDialogClosesAfterMs }).toEqual({
    action: 9_000,
    planUpdate: 12_000,
    restartAfterPlan: 5_000,
    noKeys: 8_400,
    noKeysRedirectMs: 3_600,
    installDialogClosesAfterMs: 12_000,
  });
});
