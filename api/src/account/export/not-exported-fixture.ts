/** Tables that are not exported, and why. The schema `series` stands for its tables. */
export const notExported: Readonly<Record<string, string>> = {
  series: 'Measured stats: the monitor answers them, by GET /monitor/dump/:monitorId and its neighbours.',
  attempts: 'Keyed hashes of what was tried at sign-in. They name nobody.',
  'auth.rateLimit': 'Counts of requests. They name no person.',
  'auth.twoFactor':
    'The sealed secret of the second step and its recovery codes. The account says whether it is on.',
  console_credentials: 'Credentials of the console itself, sealed. They belong to no person.',
  session_confirmations: 'When the person of a session proved who they are last. The sessions are there.',
  used_app_codes: 'The last step of an authenticator app. It says nothing but when.',
  restorations: 'When the console was restored from a backup, and confirmed. It belongs to no person.',
  security_mails: 'Messages on their way. The security events that they tell of are there.',
  'auth.verification': 'Secrets of links that were mailed.',
  passkey_challenges: 'Hashes of challenges that no device has signed yet. They end within minutes.',
  github_visits: 'Hashes of visits to GitHub that are not over. They end within minutes.',
  held_lanes: 'Which operation runs right now. The operations say so themselves.',
  migration: 'The schema of the store.',
  notice_looks: 'When the console last looked for news, over all people.',
  outbox_messages: 'Messages that wait for a mail server. They hold secret links, and belong to the console.',
  purges: 'Addresses whose cached answers went, over all people. They are kept for a day.',
  replicas: 'The processes of the console.',
  repository_pages: 'Marks by which GitHub says that its list of repositories is unchanged.',
};
