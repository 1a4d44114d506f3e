import { messages as ofApps } from './apps/messages.ts';
import { recordTtl } from './domains/facts.ts';
import { messages as ofStates } from './states/messages.ts';

/**
 * The fixed texts of the specification, letter for letter. Nothing else in the code spells them. Those that the frame of the page needs
 * stand in files of their own, so that its first load has no others.
 */
export const messages = {
  ...ofApps,
  ...ofStates,
  storageAdded: 'Storage added',
  domainAdded: 'Domain added',
  domainRemoved: 'Domain removed',
  httpsEnabled: 'Enabled HTTPS Successfully',
  letsEncryptEmailAdded: 'LetsEncrypt email added successfully',
  databaseCreated: 'Database Created',
  databaseDeleted: 'Database Deleted',
  databaseLinked: 'Database linked',
  databaseExposed: 'Database exposed',
  monitorSetUp: 'Success setting up monitor',
  monitorFailed: 'Error setting up monitor',
  readmeTooLong: 'Readme is long and cannot be displayed',
  noKeys: 'You need at least one public key to can create an app. Redirecting to add a new key..',
  keyAlreadyAdded: 'Key already added to server, Skipping',
  invalidKey: 'invalid key',
  clickAgain: 'Click again to confirm deletion.',
  installing: 'Installing..',
  verifying: 'Verifying information',
  installingMonitoring: 'Installing Server Monitoring',
  installingDokku: 'Installing Dokku',
  configuringServer: 'Configuring server',
  setupCompleted: 'Setup Completed!',
  subdomainCharacters: 'Subdomains should only include letters and numbers',
  subdomainClaimed: 'Subdomain already claimed -- choose another',
  subdomainOfOther: 'Subdomain already exists for another project',
  ipExists: 'Ip already exists',
  monitoringFailed: 'Monitoring Installation failed',
  bootstrapFailed: 'Server Bootstrap failed',
  noMonitorId: 'Not ready to install monitoring agent (no monitor id present)',
  authenticated: 'Authenticated',
  authenticationFailed: 'Authentication Failed',
  profileSynced: 'Profile synced.',
  nameUpdated: 'Name updated successfully.',
  noCloudflare: 'No cloudflare access provided.',
  ttlOutOfRange: `TTL must be between ${recordTtl.least} and ${recordTtl.most}, or ${recordTtl.automatic} for automatic`,
  recordAdded: 'Record added',
  recordUpdated: 'Record updated',
  errorAddingRecord: 'Error adding record',
  errorUpdatingRecord: 'Error updating record',
  subdirectoryOfAll: 'Path cannot be / for Subdirectory proxy',
  domainNotOwned: 'Cannot update domain: This does not appear to be a domain you own',
  cachePurged: 'Cache Purged',
  proxyDeleted: 'Proxy Deleted',
} as const;

export const appsImported = (count: number) => `${count} Apps imported`;
