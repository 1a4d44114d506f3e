import { readCron } from '@homeport/contract/backups/cron';
import {
  type BackupTarget,
  keptBackupDays,
  keptBackups,
  type RestoreTest,
  type S3Field,
  s3Fields,
} from '@homeport/contract/backups/facts';
import type { BackupSchedule, ScheduleInput } from '@homeport/contract/backups/schema';

export const rhythms = ['hourly', 'daily', 'weekly', 'custom'] as const;
export type Rhythm = (typeof rhythms)[number];

/** The form as typed. */
export interface ScheduleForm {
  rhythm: Rhythm;
  /** Of the hour, for `hourly`. */
  minute: string;
  /** `03:17`, for `daily` and `weekly`. */
  time: string;
  /** 0 is Sunday, for `weekly`. */
  weekday: string;
  cron: string;
  keepCount: string;
  /** Empty: age removes none. */
  keepDays: string;
  restoreTest: RestoreTest;
  target: BackupTarget;
  s3: Record<S3Field, string>;
  /** The server keeps an access key and a secret: both fields may stay empty. */
  keysKept: boolean;
  /** Faults are shown from the first sending on. */
  checked: boolean;
}

export type ScheduleText = 'minute' | 'time' | 'weekday' | 'cron' | 'keepCount' | 'keepDays';
export type ScheduleEvent =
  | { type: 'rhythm'; rhythm: Rhythm }
  | { type: 'text'; field: ScheduleText; text: string }
  | { type: 'restoreTest'; restoreTest: RestoreTest }
  | { type: 'target'; target: BackupTarget }
  | { type: 's3'; field: S3Field; text: string }
  | { type: 'send' };

/** The field of the form, or `target.endpoint` and the like, as the console names them too. */
export type ScheduleProblems = Partial<Record<string, string>>;

/** The schedule that the server has, or a proposal: every night at a minute of its own. */
export function scheduleFormOf(schedule: BackupSchedule | null, minute: number): ScheduleForm {
  const target = schedule?.target;
  const s3 = target?.kind === 's3' ? target : { endpoint: '', region: 'us-east-1', bucket: '', prefix: '' };
  const cron = schedule?.cron ?? `${minute} 3 * * *`;
  return {
    ...rhythmOf(cron),
    cron,
    keepCount: String(schedule?.keepCount ?? 14),
    keepDays: schedule ? String(schedule.keepDays ?? '') : '30',
    restoreTest: schedule?.restoreTest ?? 'never',
    target: target?.kind ?? 'server',
    s3: {
      endpoint: s3.endpoint,
      region: s3.region,
      bucket: s3.bucket,
      prefix: s3.prefix,
      accessKey: '',
      secret: '',
    },
    keysKept: target?.kind === 's3',
    checked: false,
  };
}

function rhythmOf(cron: string): Pick<ScheduleForm, 'rhythm' | 'minute' | 'time' | 'weekday'> {
  const [minute = '', hour = '', day, month, weekday = ''] = cron.split(' ');
  const plain = { minute: '17', time: '03:17', weekday: '0' };
  const isNumber = (text: string) => /^\d{1,2}$/.test(text);
  const custom = { ...plain, rhythm: 'custom' } as const;
  if (!isNumber(minute) || day !== '*' || month !== '*') return custom;
  if (hour === '*' && weekday === '*') return { ...plain, rhythm: 'hourly', minute };
  if (!isNumber(hour)) return custom;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (weekday === '*') return { ...plain, rhythm: 'daily', time };
  return /^[0-6]$/.test(weekday) ? { ...plain, rhythm: 'weekly', time, weekday } : custom;
}

export function scheduleFormAfter(form: ScheduleForm, event: ScheduleEvent): ScheduleForm {
  switch (event.type) {
    case 'rhythm':
      // The expression begins with what was chosen before.
      return { ...form, rhythm: event.rhythm, cron: cronOf(form) ?? form.cron };
    case 'text':
      return { ...form, [event.field]: event.text };
    case 'restoreTest':
      return { ...form, restoreTest: event.restoreTest };
    case 'target':
      return { ...form, target: event.target };
    case 's3':
      return { ...form, s3: { ...form.s3, [event.field]: event.text } };
    case 'send':
      return { ...form, checked: true };
  }
}

/** The cron expression that the form says; null while its fields say none. */
export function cronOf({ rhythm, minute, time, weekday, cron }: ScheduleForm): string | null {
  if (rhythm === 'custom') return cron.trim();
  if (rhythm === 'hourly') {
    const number = wholeNumber(minute);
    return number !== null && number < 60 ? `${number} * * * *` : null;
  }
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  if (hours === undefined) return null;
  return `${Number(minutes)} ${Number(hours)} * * ${rhythm === 'weekly' ? weekday : '*'}`;
}

const wholeNumber = (text: string): number | null => (/^\d{1,5}$/.test(text.trim()) ? Number(text) : null);

/** What is wrong with the time of the schedule. */
export function timeProblem(
  form: ScheduleForm,
): { field: 'minute' | 'time' | 'cron'; message: string } | null {
  const cron = cronOf(form);
  const field = form.rhythm === 'hourly' ? 'minute' : form.rhythm === 'custom' ? 'cron' : 'time';
  if (cron === null)
    return {
      field,
      message: field === 'minute' ? 'Enter a minute from 0 to 59.' : 'Enter a time such as 03:17.',
    };
  const read = readCron(cron);
  return read.kind === 'wrong' ? { field, message: read.message } : null;
}

type S3Target = Extract<ScheduleInput['target'], { kind: 's3' }>;

/** The S3 address of the form, or what is wrong with it. */
export function readTarget({ s3, keysKept }: Pick<ScheduleForm, 's3' | 'keysKept'>): {
  target: S3Target;
  problems: ScheduleProblems;
} {
  const problems: ScheduleProblems = {};
  const keep = keysKept && s3.accessKey === '' && s3.secret === '';
  for (const field of ['endpoint', 'region', 'bucket', 'prefix'] as const)
    if (!fits(field, s3[field].trim())) problems[`target.${field}`] = s3Fields[field].wrong;
  for (const field of ['accessKey', 'secret'] as const)
    if (!keep && !fits(field, s3[field].trim())) problems[`target.keys.${field}`] = s3Fields[field].wrong;
  const { endpoint, region, bucket, prefix, accessKey, secret } = s3;
  return {
    problems,
    target: {
      kind: 's3',
      endpoint: endpoint.trim(),
      region: region.trim(),
      bucket: bucket.trim(),
      prefix: prefix.trim(),
      keys: keep ? null : { accessKey: accessKey.trim(), secret: secret.trim() },
    },
  };
}

const fits = (field: S3Field, text: string) =>
  text.length <= s3Fields[field].characters && s3Fields[field].pattern.test(text);

/** The body to send, or what is wrong beside each field. `paused` is not in the form and stays as it is. */
export function readScheduleForm(
  form: ScheduleForm,
  paused: boolean,
): { ok: true; body: ScheduleInput } | { ok: false; problems: ScheduleProblems } {
  const address = form.target === 's3' ? readTarget(form) : null;
  const problems: ScheduleProblems = { ...address?.problems };
  const time = timeProblem(form);
  if (time) problems[time.field] = time.message;
  const keepCount = wholeNumber(form.keepCount);
  if (keepCount === null || keepCount < keptBackups.least || keepCount > keptBackups.most)
    problems.keepCount = `Keep between ${keptBackups.least} and ${keptBackups.most} backups.`;
  const keepDays = form.keepDays.trim() === '' ? null : wholeNumber(form.keepDays);
  if (form.keepDays.trim() !== '' && (keepDays === null || keepDays < 1 || keepDays > keptBackupDays))
    problems.keepDays = `Keep backups for between 1 and ${keptBackupDays} days, or leave this empty.`;
  const cron = cronOf(form);
  if (cron === null || keepCount === null || Object.keys(problems).length > 0) return { ok: false, problems };
  const { restoreTest } = form;
  return {
    ok: true,
    body: { cron, paused, keepCount, keepDays, restoreTest, target: address?.target ?? { kind: 'server' } },
  };
}
