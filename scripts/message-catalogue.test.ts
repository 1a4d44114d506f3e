import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installDialogClosesAfterMs, noKeysRedirectMs, toastMs } from '@homeport/contract/limits';
import { appsImported, messages } from '@homeport/contract/messages';
import { describe, expect, it } from 'vitest';
import { root } from './install.mjs';

type Constant = keyof typeof messages;
type Raised = { constant: Constant; in: readonly string[] };

/**
 * What the specification's two catalogues have the console say about servers, keys and apps, letter for letter, and every
 * file that says it. A message is held against this table and not against the constant alone, so that neither can drift.
 */
const catalogue: Record<string, Raised> = {
  // The first document, section 8.
  'You need at least one public key to can create an app. Redirecting to add a new key..': {
    constant: 'noKeys',
    in: ['web/src/apps/new/use-keys-required.ts'],
  },
  'Key already added to server, Skipping': {
    constant: 'keyAlreadyAdded',
    in: ['api/src/apps/changes/create-app.ts'],
  },
  'App Created': { constant: 'appCreated', in: ['api/src/apps/changes/create-app.ts'] },
  'App Plan Selected': {
    constant: 'appPlanSelected',
    in: [
      'api/src/apps/changes/change-plan.ts',
      'api/src/apps/changes/create-app.ts',
      'web/src/operations/operation-toasts.ts',
    ],
  },
  'Authentication Failed': {
    constant: 'authenticationFailed',
    in: ['web/src/servers/page/firewall/Firewall.tsx'],
  },
  'Not ready to install monitoring agent (no monitor id present)': {
    constant: 'noMonitorId',
    in: [
      'api/src/servers/install/install-server.ts',
      'api/src/servers/reinstall-agent.ts',
      'web/src/servers/page/settings/Settings.tsx',
      'web/src/servers/page/no-stats.ts',
    ],
  },
  // The second document, section 8: errors.
  'Subdomains should only include letters and numbers': {
    constant: 'subdomainCharacters',
    in: ['contract/src/servers/schema.ts'],
  },
  'Ip already exists': { constant: 'ipExists', in: ['api/src/servers/add-server.ts'] },
  'Subdomain already exists for another project': {
    constant: 'subdomainOfOther',
    in: ['api/src/servers/add-server.ts'],
  },
  'Subdomain already claimed -- choose another': {
    constant: 'subdomainClaimed',
    in: ['api/src/servers/add-server.ts'],
  },
  'Monitoring Installation failed': {
    constant: 'monitoringFailed',
    in: [
      'api/src/servers/install/install-server.ts',
      'api/src/servers/reinstall-agent.ts',
      'web/src/servers/install-look.ts',
    ],
  },
  'Server Bootstrap failed': {
    constant: 'bootstrapFailed',
    in: ['api/src/servers/install/install-server.ts', 'web/src/servers/install-look.ts'],
  },
  'Error setting up monitor': {
    constant: 'monitorFailed',
    in: ['web/src/apps/page/uptime/SetUpMonitorDialog.tsx'],
  },
  'invalid key': {
    constant: 'invalidKey',
    in: [
      'api/src/credentials/add-key.ts',
      'contract/src/credentials/schema.ts',
      'web/src/keys/key-error.ts',
      'web/src/keys/formats/public-key.ts',
    ],
  },
  // The second document, section 8: successes.
  'App Destroyed': { constant: 'appDestroyed', in: ['api/src/apps/changes/destroy-app.ts'] },
  'App Restarted Successfully': {
    constant: 'appRestarted',
    in: [
      'api/src/apps/changes/change-plan.ts',
      'api/src/apps/changes/control-app.ts',
      'web/src/operations/operation-toasts.ts',
    ],
  },
  'App Rebuilt Successfully': { constant: 'appRebuilt', in: ['api/src/apps/changes/control-app.ts'] },
  'App Started Successfully': { constant: 'appStarted', in: ['api/src/apps/changes/control-app.ts'] },
  'App Stopped Successfully': { constant: 'appStopped', in: ['api/src/apps/changes/control-app.ts'] },
  'Storage added': { constant: 'storageAdded', in: ['api/src/apps/changes/add-storage.ts'] },
  'Domain added': {
    constant: 'domainAdded',
    in: ['api/src/apps/changes/add-domain.ts', 'api/src/apps/changes/create-app.ts'],
  },
  'Domain removed': { constant: 'domainRemoved', in: ['api/src/apps/changes/remove-domain.ts'] },
  'Enabled HTTPS Successfully': {
    constant: 'httpsEnabled',
    in: ['api/src/apps/changes/app-https.ts'],
  },
  'LetsEncrypt email added successfully': {
    constant: 'letsEncryptEmailAdded',
    in: ['api/src/apps/changes/app-https.ts'],
  },
  'App Config Updated': {
    constant: 'appConfigUpdated',
    in: ['web/src/apps/page/environment/EnvironmentPanel.tsx'],
  },
  'App Updated Successfully': { constant: 'appUpdated', in: ['api/src/apps/changes/change-plan.ts'] },
  'Success setting up monitor': {
    constant: 'monitorSetUp',
    in: ['api/src/apps/changes/create-app.ts', 'web/src/apps/page/uptime/SetUpMonitorDialog.tsx'],
  },
  'Name updated successfully.': {
    constant: 'nameUpdated',
    in: ['web/src/apps/page/general/EditNameDialog.tsx', 'web/src/profile/ProfilePage.tsx'],
  },
  // Fixed texts of the screens themselves, sections 2 to 5 of both documents.
  'App is not running': { constant: 'appNotRunning', in: ['web/src/apps/page/AppDetail.tsx'] },
  'Readme is long and cannot be displayed': {
    constant: 'readmeTooLong',
    in: ['web/src/apps/page/readme/ReadmePanel.tsx'],
  },
  Authenticated: { constant: 'authenticated', in: ['web/src/servers/page/firewall/Firewall.tsx'] },
  'Installing..': { constant: 'installing', in: ['web/src/servers/install-look.ts'] },
  'Verifying information': {
    constant: 'verifying',
    in: ['api/src/servers/install/install-server.ts', 'api/src/servers/reinstall-agent.ts'],
  },
  'Installing Server Monitoring': {
    constant: 'installingMonitoring',
    in: ['api/src/servers/install/install-server.ts', 'api/src/servers/reinstall-agent.ts'],
  },
  'Installing Dokku': { constant: 'installingDokku', in: ['api/src/servers/install/install-server.ts'] },
  'Configuring server': {
    constant: 'configuringServer',
    in: ['api/src/servers/install/install-server.ts'],
  },
  'Setup Completed!': {
    constant: 'setupCompleted',
    in: ['api/src/servers/install/install-server.ts', 'web/src/servers/install-look.ts'],
  },
};

/** Words that many screens share; that somebody says them is enough. */
const everywhere: readonly Constant[] = ['online', 'offline', 'noData', 'running', 'paused'];

/** Messages of what is not built yet: databases, DNS records, Cloudflare, proxies. None may be said before it moves up. */
const notYet: Record<string, Constant | null> = {
  'Click again to confirm deletion.': 'clickAgain',
  'Profile synced.': 'profileSynced',
  'No cloudflare access provided.': 'noCloudflare',
  'Cache Purged': null,
  'Proxy Deleted': null,
  'Path cannot be / for Subdirectory proxy': null,
  'Cannot update domain: This does not appear to be a domain you own': null,
  'TTL must be between 60 and 86400, or 1 for automatic': null,
  'Error updating record': null,
  'Error adding record': null,
  'Record added': null,
  'Record updated': null,
  'Database linked': null,
  'Database exposed': null,
  'Database Created': null,
  'Database Deleted': null,
};

const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** What the program is made of: no tests, and no samples of the component gallery. */
const sources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((path) => /^(?:api|contract|monitor|proxy|web|homeport)\/src\//.test(path))
  .filter((path) => !/\.test\.tsx?$|\/gallery\/|^contract\/src\/messages\.ts$/.test(path))
  .filter((path) => existsSync(join(root, path)))
  .map((path) => ({ path, text: read(path) }));

const saying = (constant: string) => {
  const use = new RegExp(`\\bmessages\\.${constant}\\b`);
  return sources.filter(({ text }) => use.test(text)).map(({ path }) => path);
};

describe('every message of the catalogues about servers, keys and apps', () => {
  it.each(Object.entries(catalogue))('%s', (text, { constant, in: files }) => {
    expect(messages[constant], 'letter for letter').toBe(text);
    expect(saying(constant).toSorted(), 'where it is said').toEqual([...files].toSorted());
  });

  it('N Apps imported', () => {
    expect(appsImported(3)).toBe('3 Apps imported');
    const sayers = sources.filter(({ text }) => /\bappsImported\(/.test(text)).map(({ path }) => path);
    expect(sayers).toEqual(['web/src/servers/page/apps/use-server-apps.ts']);
  });

  it('is one of these, or of what is to come', () => {
    const listed = new Set([...Object.values(catalogue).map(({ constant }) => constant), ...everywhere]);
    const later = new Set(Object.values(notYet));
    const unlisted = (Object.keys(messages) as Constant[]).filter(
      (constant) => !listed.has(constant) && !later.has(constant),
    );
    expect(unlisted).toEqual([]);
    expect(everywhere.filter((constant) => saying(constant).length === 0)).toEqual([]);
  });
});

describe('a message of what is to come', () => {
  it.each(Object.entries(notYet))('%s is said nowhere yet', (text, constant) => {
    if (constant) expect(messages[constant]).toBe(text);
    expect(constant ? saying(constant) : []).toEqual([]);
    const quoted = ["'", '"', '`'].map((quote) => quote + text + quote);
    expect(sources.filter((source) => quoted.some((each) => source.text.includes(each)))).toEqual([]);
    expect(Object.values<string>(messages).includes(text)).toBe(constant !== null);
  });
});

describe('the time that a message stays', () => {
  it('is what the specification says', () => {
    expect(toastMs).toEqual({
      action: 9_000,
      planUpdate: 12_000,
      restartAfterPlan: 5_000,
      noKeys: 8_400,
    });
    expect({ noKeysRedirectMs, installDialogClosesAfterMs }).toEqual({
      noKeysRedirectMs: 3_600,
      installDialogClosesAfterMs: 12_000,
    });
  });

  // Their tests: web/src/operations/operation-toasts.test.ts, web/src/servers/install-look.test.ts.
  it.each([
    ['toastMs.action', ['web/src/operations/operation-toasts.ts', 'web/src/ui/feedback/toasts.ts']],
    ['toastMs.planUpdate', ['web/src/operations/operation-toasts.ts']],
    ['toastMs.restartAfterPlan', ['web/src/operations/operation-toasts.ts']],
    ['toastMs.noKeys', ['web/src/apps/new/use-keys-required.ts']],
    ['noKeysRedirectMs', ['web/src/apps/new/use-keys-required.ts']],
    ['installDialogClosesAfterMs', ['web/src/servers/install-look.ts']],
  ])('%s is taken from there', (name, files) => {
    const users = sources
      .filter(({ path, text }) => path !== 'contract/src/limits.ts' && text.includes(name))
      .map(({ path }) => path);
    expect(users.toSorted()).toEqual(files);
  });
});
