import type { SecurityEventKind } from '@homeport/contract/account/facts';
import type { SecurityEvent } from '@homeport/contract/account/schema';

const texts: Record<SecurityEventKind, string> = {
  signed_up: 'Account made',
  signed_in: 'Signed in',
  new_browser_signed_in: 'Signed in from a new browser',
  sign_in_failed: 'Failed sign-in',
  password_changed: 'Password changed',
  password_reset: 'Password set by a mailed link',
  password_reset_by_operator: 'Password set by a link that was made on the console’s machine',
  email_change_begun: 'Change of the e-mail address begun',
  email_changed: 'E-mail address changed',
  ways_ended: 'E-mail address verified, older ways in ended',
  sessions_ended: 'Sign-in ended',
  second_step_on: 'Second step of signing in turned on',
  second_step_off: 'Second step of signing in turned off',
  recovery_code_used: 'Signed in with a recovery code',
  recovery_codes_made: 'New recovery codes made',
  key_added: 'Key added',
  key_removed: 'Key removed',
  host_key_accepted: 'Host key accepted',
  server_moved: 'Address of a server changed',
  passkey_added: 'Passkey added',
  passkey_removed: 'Passkey removed',
  token_made: 'API token made',
  token_revoked: 'API token revoked',
  terminal_signed_in: 'Terminal signed in',
  account_linked: 'Account linked',
  account_unlinked: 'Account unlinked',
  deploy_key_added: 'Deploy key added at GitHub',
  deploy_key_removed: 'Deploy key removed from GitHub',
  console_backup_made: 'Backup of the console begun',
  console_backup_fetched: 'Backup of the console downloaded',
  console_backups_changed: 'Backups of the console are made otherwise',
  commands_allowed: 'Commands and terminals in the apps of a server allowed',
  commands_forbidden: 'Commands and terminals in the apps of a server no longer allowed',
  command_run: 'Command run in an app',
  task_run: 'Scheduled task of an app run by hand',
  shell_allowed: 'Terminals on a server itself allowed',
  shell_forbidden: 'Terminals on a server itself no longer allowed',
  terminal_opened: 'Terminal opened',
  destination_added: 'Destination of news added',
  destination_changed: 'Address or secret of a destination of news replaced',
};

/** "Key added: laptop", "Failed sign-in, 3 times" */
export function eventText({
  kind,
  subject,
  count,
}: Pick<SecurityEvent, 'kind' | 'subject' | 'count'>): string {
  const times = count > 1 ? `, ${count} times` : '';
  return subject === null ? `${texts[kind]}${times}` : `${texts[kind]}${times}: ${subject}`;
}
