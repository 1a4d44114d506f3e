import { repeatWork, type Store } from '@homeport/store';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Mailer } from '../mail/mailer.ts';
import { isMailed, type SecurityMail, securityMessage } from './mail-texts.ts';

export type SecurityMailDeps = {
  store: Pick<Store, 'db'>;
  mailer: Pick<Mailer, 'send'>;
  publicUrl: string;
  clock: () => number;
  log: Pick<FastifyBaseLogger, 'error'>;
};

/** A message that the mail server did not take is due again after this time, and is given up after so many tries. */
const tryAgainMs = 5 * 60_000;
const mostTries = 24;
/** A sent message is counted for an hour. */
const keptMs = 24 * 60 * 60_000;
const atOnce = 20;

/** Mails security events until it is closed. Several processes may do this together. */
export function startSecurityMails(deps: SecurityMailDeps): { close(): Promise<void> } {
  const report = (error: unknown) => deps.log.error({ err: error }, 'security events could not be mailed');
  const work = repeatWork('securityMails', () => sendSecurityMails(deps), report);
  return { close: () => work.stop() };
}

/** Sends what is due. A process that ends in between leaves a message to the next try: a message may arrive twice, but is not lost. */
export async function sendSecurityMails(deps: SecurityMailDeps): Promise<void> {
  const { store, mailer, publicUrl, clock } = deps;
  await store.db
    .deleteFrom('security_mails')
    .where('at', '<', clock() - keptMs)
    .execute();
  for (const { id, ...mail } of await claim(deps)) {
    try {
      if (isMailed(mail.kind)) await mailer.send(securityMessage({ ...mail, kind: mail.kind }, publicUrl));
    } catch (error) {
      deps.log.error({ err: error }, 'a security event could not be mailed; the next try is in five minutes');
      continue;
    }
    await store.db.updateTable('security_mails').set({ sent_at: clock() }).where('id', '=', id).execute();
  }
}

type Claimed = Omit<SecurityMail, 'kind'> & { id: string; kind: string };

/** Takes messages that no other process has. */
async function claim({ store, clock }: SecurityMailDeps): Promise<Claimed[]> {
  const now = clock();
  const { rows } = await sql<Claimed>`
    with due as (
      select id from security_mails where sent_at is null and due_at <= ${now} and tries < ${mostTries} and (select may_act())
      order by at limit ${atOnce} for update skip locked)
    update security_mails m set due_at = ${now + tryAgainMs}, tries = tries + 1
    from due, auth."user" u where m.id = due.id and u.id = m.owner_id
    returning m.id, m.kind, m.subject, m.recipient, u.name, m.address, m.user_agent, m.at, m.is_last`.execute(
    store.db,
  );
  return rows.sort((one, other) => one.at - other.at);
}
