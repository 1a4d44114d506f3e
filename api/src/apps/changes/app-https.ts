import { messages } from '@homeport/contract/messages';
import { appName, letsencrypt } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import type { StepOutcome } from '../../operations/definition.ts';
import type { RunOptions } from '../../remote/run-command.ts';
import { type AppStep, type OnApp, recordOnApp } from './on-app.ts';

type Accept = Pick<RunOptions, 'accept'>;

/** Returns whether the e-mail was set. A refusal throws unless `accept` allows it. */
export async function setAuthorityEmail(
  step: AppStep,
  { longname }: OnApp,
  email: string,
  accept: Accept = {},
): Promise<boolean> {
  const set = await step.run('apps', letsencrypt.setEmail(appName(longname), email), accept);
  if (set.exitCode !== 0) return false;
  await step.toast('ok', messages.letsEncryptEmailAdded);
  return true;
}

/** Returns whether the certificate was issued. A refusal throws unless `accept` allows it. */
export async function getCertificate(
  db: Kysely<Database>,
  step: AppStep,
  { appId, longname }: OnApp,
  accept: Accept = {},
): Promise<boolean> {
  const enabled = await step.run('apps', letsencrypt.enable(appName(longname)), {
    ...accept,
    deadlineMs: 5 * 60_000,
  });
  if (enabled.exitCode !== 0) return false;
  await recordOnApp(db, step, appId, { https: true });
  await step.toast('ok', messages.httpsEnabled);
  return true;
}

/** A certificate lasts 90 days, so one daily job on the server renews all certificates. */
export async function scheduleRenewal(step: AppStep): Promise<StepOutcome | undefined> {
  const added = await step.run('apps', letsencrypt.addCronJob(), { accept: 'any' });
  return added.exitCode === 0
    ? undefined
    : { state: 'warned', note: 'The certificate is there, but its renewal could not be scheduled.' };
}
