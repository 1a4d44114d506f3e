/** What a security event can be. A person sees the newest events on the profile page. */
export const securityEventKinds = [
  'signed_up',
  'signed_in',
  'new_browser_signed_in',
  'sign_in_failed',
  'password_changed',
  'password_reset',
  'password_reset_by_operator',
  'email_change_begun',
  'email_changed',
  'ways_ended',
  'sessions_ended',
  'second_step_on',
  'second_step_off',
  'recovery_code_used',
  'recovery_codes_made',
  'key_added',
  'key_removed',
  'host_key_accepted',
  'server_moved',
  'passkey_added',
  'passkey_removed',
  'token_made',
  'token_revoked',
  'terminal_signed_in',
  'account_linked',
  'account_unlinked',
  'deploy_key_added',
  'deploy_key_removed',
  'console_backup_made',
  'console_backup_fetched',
  'console_backups_changed',
  'commands_allowed',
  'commands_forbidden',
  'command_run',
  'task_run',
  'shell_allowed',
  'shell_forbidden',
  'terminal_opened',
  'destination_added',
  'destination_changed',
] as const;
export type SecurityEventKind = (typeof securityEventKinds)[number];

/** Security events of one kind that are kept for one person. The next one removes the oldest of its kind, so that no kind pushes another out. */
export const securityEventsKept = 50;
/** Failed sign-ins that follow each other within this time are one event with a count. */
export const failedSignInsTogetherMs = 60 * 60_000;
/** A longer `User-Agent` is cut to this before it is stored. */
export const userAgentCharacters = 300;
/** The name of the thing that a security event is about is cut to this. */
export const eventSubjectCharacters = 120;

/** What a person’s picture can be, the smallest first: browsers show these, and none of them can hold a script. */
export const avatarTypes = ['image/webp', 'image/png', 'image/jpeg'] as const;
export type AvatarType = (typeof avatarTypes)[number];
export const avatarBytes = 256 * 1024;
/** A picture is shown at up to 56 pixels. A larger one than this takes a browser long to unpack. */
export const avatarMostPixels = 1_600;
/** The width and height to which the page and GitHub scale a picture. */
export const avatarUsualPixels = 256;

/** Security events of one kind that the console mails to the person within an hour. The last of them says that more are only listed. */
export const securityMailsPerHour = 10;
/** And of all kinds: many of one kind do not keep another from being mailed. */
export const securityMailsPerHourTogether = 60;
