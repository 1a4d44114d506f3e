import { messages } from '@homeport/contract/messages';
import { appName, letsencrypt } from '@homeport/dokku';
import type { Database } from '@homeport/store';
import type { Kysely } from 'kysely';
import { ProblemError } from '../../http/problem.ts';
import type { StepOutcome } from '../../operations/definition.ts';
import { asProblem, type RunOptions } from '../../remote/run-command.ts';
import {
  type CertificateStep,
  portsAfterCertificate,
  portsBeforeRequest,
  putPortsBack,
} from './certificate-ports.ts';
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

/** `refused` carries the reason; `note` says what became of the app’s ports, null if they stayed. */
type Certificate =
  | { issued: true; note: string | null }
  | { issued: false; refused: ProblemError; note: string | null };

/**
 * Requests the certificate. After a refusal, puts back the ports that the plugin changed. Throws what is no
 * refusal of the server’s, such as a lost connection.
 */
export async function getCertificate(
  db: Kysely<Database>,
  step: CertificateStep,
  { appId, longname }: OnApp,
): Promise<Certificate> {
  const before = await portsBeforeRequest(step, longname);
  try {
    await step.run('apps', letsencrypt.enable(appName(longname)), { deadlineMs: 5 * 60_000 });
  } catch (error) {
    const refused = asProblem(error);
    const isAnswer =
      refused instanceof ProblemError &&
      (refused.code === 'remote_failed' || refused.code === 'remote_timeout');
    if (!isAnswer) throw error;
    return { issued: false, refused, note: await putPortsBack(step, longname, before) };
  }
  await recordOnApp(db, step, appId, { https: true });
  await step.toast('ok', messages.httpsEnabled);
  return { issued: true, note: await portsAfterCertificate(step, longname, before) };
}

/** A certificate lasts 90 days, so one daily job on the server renews all certificates. */
export async function scheduleRenewal(step: AppStep): Promise<StepOutcome | undefined> {
  const added = await step.run('apps', letsencrypt.addCronJob(), { accept: 'any' });
  return added.exitCode === 0
    ? undefined
    : { state: 'warned', note: 'The certificate is there, but its renewal could not be scheduled.' };
}
