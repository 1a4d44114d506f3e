import type { QuietHours } from '@homeport/contract/destinations/quiet-hours';
import type { Generated, JSONColumnType } from 'kysely';

/**
 * The tables as SQL has them (`store/migrations/`); times are epoch milliseconds. A test compares these interfaces with
 * `information_schema.columns`.
 */
export interface RestorationTable {
  one: Generated<boolean>;
  backup_at: number;
  restored_at: number;
  confirmed_at: number | null;
}

export interface ConsoleBackupTable {
  id: Generated<string>;
  started_by: 'owner' | 'schedule';
  state: Generated<'running' | 'done' | 'failed'>;
  encrypted: boolean;
  file: string;
  started_at: number;
  alive_at: number;
  ended_at: number | null;
  rows: number | null;
  bytes: number | null;
  sha256: string | null;
  failure: string | null;
  checked_at: number | null;
  is_intact: boolean | null;
  proof: 'proven' | 'failed' | 'skipped' | null;
  proof_at: number | null;
  proof_note: string | null;
  copy_state: 'copying' | 'copied' | 'failed' | null;
  copied_to: string | null;
  copy_at: number | null;
  copy_note: string | null;
  copy_tries: Generated<number>;
  copy_due_at: number | null;
}

export interface ConsoleBackupPlanTable {
  one: Generated<boolean>;
  recipient: string | null;
  daily_at: number | null;
  keep: number;
  due_at: number | null;
  daily_since: number | null;
}

export interface ProfileTable {
  owner_id: string;
  pepper: string;
  created_at: number;
}

export interface AvatarTable {
  owner_id: string;
  version: string;
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  picture: string;
  source: 'chosen' | 'github';
  kept_at: number;
}

export interface EmailChangeTable {
  owner_id: string;
  email: string;
  waits_for: 'present' | 'new';
  token_hash: Buffer;
  begun_at: number;
  expires_at: number;
}

export interface OutboxMessageTable {
  id: Generated<string>;
  recipient: string;
  subject: string;
  body: string;
  created_at: number;
}

export interface InvitationTable {
  id: Generated<string>;
  owner_id: string;
  email: string;
  token_hash: Buffer;
  mailed: Generated<boolean>;
  created_at: number;
  expires_at: number;
  accepted_at: number | null;
  withdrawn_at: number | null;
}

export interface AttemptTable {
  key: Buffer;
  count: number;
  refused_until: number;
  forgotten_at: number;
}

export interface SecurityEventTable {
  id: Generated<string>;
  number: Generated<number>;
  owner_id: string;
  kind: string;
  subject: string | null;
  count: Generated<number>;
  address: string | null;
  user_agent: string | null;
  at: number;
}

export interface SessionConfirmationTable {
  session_id: string;
  confirmed_at: number;
}

export interface UsedAppCodeTable {
  owner_id: string;
  step: number;
}

export interface SecurityMailTable {
  id: Generated<string>;
  owner_id: string;
  kind: string;
  subject: string | null;
  recipient: string;
  address: string | null;
  user_agent: string | null;
  at: number;
  is_last: boolean;
  due_at: number;
  tries: Generated<number>;
  sent_at: number | null;
}

export interface ApiTokenTable {
  id: Generated<string>;
  owner_id: string;
  name: string;
  token_hash: Buffer;
  last_four: string;
  scopes: string[];
  created_at: number;
  expires_at: number;
  last_used_at: number | null;
  kind: Generated<'program' | 'terminal' | 'agent'>;
  ends_latest_at: number | null;
  last_used_from: string | null;
}

export interface ProgramCallTable {
  id: Generated<string>;
  number: Generated<number>;
  owner_id: string;
  program_id: string;
  program_kind: string;
  program_name: string;
  last_four: string;
  call: string;
  subject_kind: string | null;
  subject_id: string | null;
  outcome: 'ok' | 'refused' | 'failed';
  hour: number;
  count: number;
  first_at: number;
  last_at: number;
  address: string;
}

export interface ProposalTable {
  id: Generated<string>;
  number: Generated<number>;
  owner_id: string;
  program_id: string | null;
  program_kind: string;
  program_name: string;
  last_four: string;
  program_since: number;
  route: string;
  params: Json<Record<string, unknown>>;
  body: JSONColumnType<Record<string, unknown>, string | null, string | null> | null;
  title: string;
  app_name: string;
  server_name: string;
  why: string;
  fingerprint: string;
  state: Generated<'open' | 'run' | 'declined' | 'withdrawn'>;
  operation_id: string | null;
  created_at: number;
  expires_at: number;
  ended_at: number | null;
}

export interface DeviceCodeTable {
  id: Generated<string>;
  device_hash: Buffer;
  user_hash: Buffer;
  name: string;
  platform: string;
  address: string;
  created_at: number;
  expires_at: number;
  polled_at: number | null;
  interval_ms: number;
  owner_id: string | null;
  state: Generated<'open' | 'approved' | 'declined'>;
  network: string;
  customer_network: string;
}

export interface KeyTable {
  owner_id: string;
  id: string;
  name: string;
  public_key: string;
  fingerprint: string;
  algorithm: string;
  added_at: number;
}

export interface ServerTable {
  id: Generated<string>;
  owner_id: string;
  key: string;
  name: string;
  description: Generated<string>;
  ip: string;
  port: number;
  username: string;
  /** Null for a read-only server. */
  credential: string | null;
  subdomain: string;
  metal: boolean;
  monitor_id: string | null;
  agent_token_hash: Buffer | null;
  agent_installed: Generated<boolean>;
  host_key_fingerprint: string | null;
  host_key_algorithm: string | null;
  setup: Generated<'new' | 'installing' | 'failed' | 'ready'>;
  login: 'root' | 'sudo' | 'plain' | null;
  console_account: Generated<boolean>;
  account_key: string | null;
  dokku_version: string | null;
  dokku_plugin: string | null;
  global_domains: string[] | null;
  global_domains_kept: Generated<boolean>;
  commands_allowed: Generated<boolean>;
  shell_allowed: Generated<boolean>;
  /** Where it stands, in its person’s words; empty without any. */
  location: Generated<string>;
  /** By the machine’s own firmware. */
  provider: string | null;
  git_user: Generated<string>;
  simulated: Generated<boolean>;
  sandbox: Generated<boolean>;
  created_at: number;
  version: Generated<number>;
}

export interface AppTable {
  id: Generated<string>;
  owner_id: string;
  server_id: string;
  name: string;
  longname: string;
  monitor_id: string;
  plan: number | null;
  domains: Generated<string[]>;
  url: string | null;
  stopped: Generated<boolean>;
  crash: string | null;
  deploy_branch: string | null;
  keys: string[] | null;
  https: Generated<boolean>;
  imported: Generated<boolean>;
  unread: Generated<boolean>;
  missing_since: number | null;
  repository: string | null;
  repository_branch: string | null;
  repository_id: number | null;
  deploy_status: Generated<'never' | 'deploying' | 'succeeded' | 'failed'>;
  deployed_at: number | null;
  started_at: number | null;
  deploy_failed_at: number | null;
  deploy_noticed_at: number | null;
  created_at: number;
  version: Generated<number>;
}

export interface ReadingTable {
  app_id: string;
  owner_id: string;
  part: 'deploys' | 'resources' | 'system' | 'storage' | 'readme' | 'processes' | 'pushers';
  told: string;
  read_at: number;
}

export interface DatabaseTable {
  id: Generated<string>;
  owner_id: string;
  server_id: string;
  name: string;
  longname: string;
  type: string;
  stopped: Generated<boolean>;
  state: Generated<
    'running' | 'paused' | 'exited' | 'ended' | 'missing' | 'created' | 'restarting' | 'unknown'
  >;
  ending: JSONColumnType<object, string | null, string | null> | null;
  image_version: string | null;
  ports: JsonWithDefault<unknown[]>;
  exposure_fails: Generated<boolean>;
  memory_bytes: number | null;
  data_bytes: number | null;
  imported: Generated<boolean>;
  read_at: number | null;
  created_at: number;
  version: Generated<number>;
}

export interface LinkTable {
  database_id: string;
  owner_id: string;
  app_longname: string;
  variable: string | null;
}

export interface BackupScheduleTable {
  database_id: string;
  owner_id: string;
  told: JSONColumnType<object, string | null, string | null> | null;
  unsure: Generated<boolean>;
  due_at: number | null;
  missed_at: number | null;
}

export interface BackupRunTable {
  database_id: string;
  id: string;
  owner_id: string;
  state: 'running' | 'succeeded' | 'failed';
  began_at: number;
  duration_s: number;
  bytes: number | null;
  sha256: string | null;
  target: string;
  failure: string | null;
  text: string | null;
}

export interface CheckTable {
  id: Generated<number>;
  app_id: string;
  domain: string;
  path: Generated<string>;
  every_ms: Generated<number>;
  created_at: number;
  due_at: number | null;
  version: Generated<number>;
  confirmed: 'up' | 'down' | null;
  confirmed_at: number | null;
  against: Generated<number>;
  turned_at: number | null;
  unknown_since: number | null;
  latest: string | null;
}

export interface StatusPageTable {
  id: Generated<string>;
  owner_id: string;
  slug: string;
  title: string;
  published: Generated<boolean>;
  version: Generated<number>;
  created_at: number;
  due_at: Generated<number>;
  claim: Generated<number>;
  claimed_at: Generated<number>;
  seen: string | null;
  rendered_at: Generated<number>;
  taken_down: string | null;
  was_readable: Generated<boolean>;
}

export interface FreedStatusAddressTable {
  slug: string;
  owner_id: string | null;
  freed_at: number;
  number: Generated<number>;
}

export interface StatusMinuteTable {
  proxy_id: string;
  at: number;
  up: number;
  down: number;
}

export interface StatusComponentTable {
  id: Generated<string>;
  page_id: string;
  app_id: string | null;
  proxy_id: string | null;
  name: string;
  group_name: Generated<string>;
  position: number;
}

export interface StatusPostTable {
  id: Generated<string>;
  page_id: string;
  kind: 'incident' | 'maintenance';
  title: string;
  created_at: number;
  starts_at: number | null;
  ends_at: number | null;
  affects: Generated<string[]>;
}

export interface StatusUpdateTable {
  id: Generated<string>;
  post_id: string;
  state: 'investigating' | 'identified' | 'watching' | 'resolved' | null;
  text: string;
  at: number;
  number: Generated<number>;
}

export interface StatusRenderTable {
  page_id: string;
  file: 'page' | 'feed.atom' | 'status.json' | 'badge.svg';
  body: Buffer;
  gzip: Buffer;
  etag: string;
  at: Generated<number>;
}

export interface IncidentTable {
  id: Generated<string>;
  check_id: number;
  started_at: number;
  ended_at: number | null;
  cause: string;
  reason: string;
  noticed: Generated<boolean>;
}

type Json<T extends object> = JSONColumnType<T, string, string>;
type JsonWithDefault<T extends object> = JSONColumnType<T, string | undefined, string>;

export interface OperationTable {
  id: Generated<string>;
  owner_id: string;
  session_id: string;
  kind: string;
  title: string;
  state: 'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'interrupted' | 'cancelled';
  waiting_for: JSONColumnType<object, string | null, string | null> | null;
  lane: string;
  server_id: string | null;
  app_id: string | null;
  server_key: string | null;
  server_name: string | null;
  longname: string | null;
  percent: number | null;
  steps: Json<unknown[]>;
  input: Json<Record<string, unknown>>;
  facts: JsonWithDefault<Record<string, unknown>>;
  result: JsonWithDefault<Record<string, unknown>>;
  toasts: JsonWithDefault<unknown[]>;
  problem: JSONColumnType<object, string | null, string | null> | null;
  replica_id: string | null;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  seen_at: number | null;
  noticed_at: number | null;
  database_id: string | null;
  also_lanes: Generated<string[]>;
  cancel_asked: Generated<boolean>;
}

export interface HeldLaneTable {
  lane: string;
  operation_id: string;
}

export interface OperationLineTable {
  operation_id: string;
  seq: number;
  at: number;
  step: string;
  stream: 'out' | 'err' | 'note';
  text: string;
}

/** Written by a trigger on the lines. */
export interface OperationLogTable {
  operation_id: string;
  owner_id: string;
  /** Of the lines' text, and 64 for each line. */
  bytes: number;
}

export interface OperationCommandTable {
  operation_id: string;
  seq: number;
  step: string;
  account: string;
  command: string;
  exit_code: number | null;
  started_at: number;
  duration_ms: number;
}

export interface ReplicaTable {
  id: string;
  seen_at: number;
}

export interface NoticeLookTable {
  what: string;
  looked_at: number;
  since: number;
}

export interface NoticeMuteTable {
  id: Generated<number>;
  server_id: string | null;
  app_id: string | null;
  proxy_id: string | null;
  kind: string | null;
}

export interface NoticeThreadTable {
  id: Generated<string>;
  owner_id: string;
  kind: string;
  incident: string;
  server_id: string | null;
  app_id: string | null;
  proxy_id: string | null;
  started_at: number;
  ended_at: number | null;
  turned_at: number | null;
  acknowledged_at: number | null;
  acknowledged_by: string | null;
}

export interface NoticeTable {
  id: Generated<string>;
  number: Generated<number>;
  thread_id: string;
  owner_id: string;
  event: string;
  mark: number;
  facts: Json<Record<string, unknown>>;
  created_at: number;
  muted: Generated<boolean>;
}

export interface NoticeTimedMuteTable {
  id: Generated<string>;
  owner_id: string;
  thread_id: string | null;
  server_id: string | null;
  app_id: string | null;
  ends_at: number;
}

export interface NoticeDestinationTable {
  id: Generated<string>;
  owner_id: string;
  kind: string;
  created_at: number;
  name: Generated<string>;
  shown: Generated<string>;
  sealed: Buffer | null;
  state: Generated<'on' | 'off' | 'broken'>;
  problem: string | null;
  version: Generated<number>;
  previous_until: number | null;
  broken_at: number | null;
  quiet_hours: JSONColumnType<QuietHours, string | null, string | null> | null;
  per_hour: Generated<number>;
  after_minutes: Generated<number>;
  repeat_hours: number | null;
  device: string | null;
}

export interface NoticeMessageTable {
  id: Generated<string>;
  number: Generated<number>;
  owner_id: string;
  destination_id: string;
  state: Generated<'waiting' | 'sent' | 'refused' | 'unsent'>;
  summary: boolean;
  created_at: number;
  due_at: number;
  version: Generated<number>;
  attempts: Generated<number>;
  ended_at: number | null;
  answer: string | null;
  test: Generated<boolean>;
  posted: string | null;
  repeats: string[] | null;
}

export interface NoticeSentByHandTable {
  owner_id: string;
  at: number;
}

export interface NoticeDeliveryTable {
  notice_id: string;
  destination_id: string;
  owner_id: string;
  message_id: string | null;
  grave: Generated<boolean>;
  repeated_at: number | null;
}

export interface ConsoleCredentialTable {
  name: string;
  shown: string;
  sealed: Buffer;
  changed_at: number;
}

export interface LinkedAccountTable {
  id: Generated<string>;
  owner_id: string;
  service: string;
  kind: string;
  name: string | null;
  sealed: Buffer;
  last_four: string;
  facts: JsonWithDefault<Record<string, unknown>>;
  problem: string | null;
  linked_at: number;
  checked_at: number;
  asked_at: Generated<number>;
  version: Generated<number>;
}

export interface ZoneTable {
  account_id: string;
  owner_id: string;
  id: string;
  name: string;
  status: string;
  type: string;
  paused: boolean;
  editable: boolean | null;
  created_at: number;
}

export interface FormerAddressTable {
  owner_id: string;
  ip: string;
  server_name: string;
  removed_at: number;
}

export interface FormerSubdomainTable {
  owner_id: string;
  subdomain: string;
  given_up_at: number;
}

export interface PasskeyTable {
  id: Generated<string>;
  owner_id: string;
  name: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  backed_up: boolean;
  created_at: number;
  last_used_at: number | null;
}

export interface PasskeyChallengeTable {
  challenge_hash: Buffer;
  session_id: string | null;
  browser_hash: Buffer | null;
  expires_at: number;
}

export interface GithubVisitTable {
  state_hash: Buffer;
  purpose: 'sign-in' | 'link';
  browser_hash: Buffer | null;
  owner_id: string | null;
  session_id: string | null;
  expires_at: number;
}

export interface RepositoryTable {
  account_id: string;
  owner_id: string;
  id: number;
  page: number;
  full_name: string;
  private: boolean;
  language: string | null;
  description: string | null;
  url: string;
  default_branch: string;
  archived: boolean;
  can_push: boolean;
  pushed_at: number | null;
}

export interface RepositoryPageTable {
  account_id: string;
  owner_id: string;
  page: number;
  etag: string | null;
  is_last: boolean;
  read_at: number;
}

export interface ContinuousDeploymentTable {
  app_id: string;
  owner_id: string;
  repository: string;
  branch: string;
  key_name: string | null;
  fingerprint: string | null;
  secret_set_at: number | null;
  commit_url: string | null;
  pull_url: string | null;
  created_at: number;
}

export interface DeployKeyTable {
  app_id: string;
  owner_id: string;
  repository: string;
  title: string;
  public_key: string | null;
  fingerprint: string | null;
  github_id: number | null;
  refusal: string | null;
  created_at: number;
}

export interface ProxyTable {
  id: Generated<string>;
  owner_id: string;
  name: string;
  domain: string;
  subdomain: Generated<string>;
  source: string;
  records: JsonWithDefault<unknown[]>;
  saved_urls: JsonWithDefault<unknown[]>;
  created_at: number;
  holds: Generated<boolean>;
  proof: string;
  granted_at: number | null;
  owned: Generated<'unknown' | 'zone' | 'txt' | 'granted' | 'missing'>;
  pointing: Generated<'unknown' | 'yes' | 'partly' | 'no'>;
  found: JsonWithDefault<Record<string, unknown>>;
  checked_at: number | null;
  check_due_at: Generated<number>;
  check_version: Generated<number>;
  failures: Generated<number>;
  failing_since: number | null;
  allowed: Generated<boolean>;
  refusal: string | null;
  /** Grows with each change that planes have to know. */
  version: Generated<number>;
  /** Grows with each edit of a person. */
  edit_version: Generated<number>;
  failing_rules: JsonWithDefault<Record<string, unknown>>;
  certificate: Json<Record<string, unknown>> | null;
  unserved_at: number | null;
  rule_count: Generated<number>;
  rule_bytes: Generated<number>;
  url_bytes: Generated<number>;
}

export interface FreedNameTable {
  domain: string;
  owner_id: string;
  freed_at: number;
  version: number;
}

export interface PurgeTable {
  version: Generated<number>;
  /** Whose domain a person purged; null: whoever runs the planes asked. */
  proxy_id: string | null;
  starts_with: string;
  created_at: number;
}

export interface ProxyUseTable {
  proxy_id: string;
  rule: string;
  span: 'minute' | 'hour' | 'day' | 'month';
  at: number;
  requests: number;
  errors: number;
  hits: number;
  bytes: number;
  latency_ms: number;
  latency_max_ms: number;
}

export interface AuthUserTable {
  id: Generated<string>;
  name: string;
  email: string;
  emailVerified: boolean;
  image: string | null;
  twoFactorEnabled: Generated<boolean | null>;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}

export interface AuthSessionTable {
  id: Generated<string>;
  expiresAt: Date;
  token: string;
  createdAt: Generated<Date>;
  updatedAt: Date;
  ipAddress: string | null;
  userAgent: string | null;
  userId: string;
}

export interface Database {
  profiles: ProfileTable;
  avatars: AvatarTable;
  email_changes: EmailChangeTable;
  outbox_messages: OutboxMessageTable;
  invitations: InvitationTable;
  attempts: AttemptTable;
  security_events: SecurityEventTable;
  session_confirmations: SessionConfirmationTable;
  used_app_codes: UsedAppCodeTable;
  security_mails: SecurityMailTable;
  api_tokens: ApiTokenTable;
  program_calls: ProgramCallTable;
  proposals: ProposalTable;
  device_codes: DeviceCodeTable;
  keys: KeyTable;
  servers: ServerTable;
  apps: AppTable;
  readings: ReadingTable;
  databases: DatabaseTable;
  links: LinkTable;
  backup_schedules: BackupScheduleTable;
  backup_runs: BackupRunTable;
  checks: CheckTable;
  incidents: IncidentTable;
  freed_status_addresses: FreedStatusAddressTable;
  status_pages: StatusPageTable;
  status_components: StatusComponentTable;
  status_minutes: StatusMinuteTable;
  status_posts: StatusPostTable;
  status_updates: StatusUpdateTable;
  status_renders: StatusRenderTable;
  operations: OperationTable;
  held_lanes: HeldLaneTable;
  operation_lines: OperationLineTable;
  operation_logs: OperationLogTable;
  operation_commands: OperationCommandTable;
  replicas: ReplicaTable;
  notice_looks: NoticeLookTable;
  notice_mutes: NoticeMuteTable;
  notice_timed_mutes: NoticeTimedMuteTable;
  notice_threads: NoticeThreadTable;
  notices: NoticeTable;
  notice_destinations: NoticeDestinationTable;
  notice_messages: NoticeMessageTable;
  notice_deliveries: NoticeDeliveryTable;
  notice_sent_by_hand: NoticeSentByHandTable;
  linked_accounts: LinkedAccountTable;
  console_credentials: ConsoleCredentialTable;
  console_backup_plan: ConsoleBackupPlanTable;
  console_backups: ConsoleBackupTable;
  restorations: RestorationTable;
  zones: ZoneTable;
  former_addresses: FormerAddressTable;
  former_subdomains: FormerSubdomainTable;
  github_visits: GithubVisitTable;
  passkeys: PasskeyTable;
  passkey_challenges: PasskeyChallengeTable;
  repositories: RepositoryTable;
  repository_pages: RepositoryPageTable;
  continuous_deployments: ContinuousDeploymentTable;
  deploy_keys: DeployKeyTable;
  proxies: ProxyTable;
  freed_names: FreedNameTable;
  purges: PurgeTable;
  proxy_use: ProxyUseTable;
  'auth.user': AuthUserTable;
  'auth.session': AuthSessionTable;
}
