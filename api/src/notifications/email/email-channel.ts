import { withoutHidden } from '@homeport/contract/fields/shown-text';
import { z } from 'zod';
import type { Mailer } from '../../mail/mailer.ts';
import type { Channel, Delivered } from '../channel.ts';
import { writeMail } from './write-mail.ts';

const answerCharacters = 300;

/** One mail server takes everybody's messages, in their order: there is nothing to spread. */
const tries = { again: [1, 5, 15, 30, 60, 60, 60, 60].map((minutes) => minutes * 60_000), spread: 0 };

/**
 * @param mailer null if the console has no mail server; the outbox is only for messages that somebody waits
 * for
 */
export function createEmailChannel({ mailer, origin }: { mailer: Mailer | null; origin: string }): Channel {
  return {
    tries,
    async deliver(message) {
      if (!mailer) return { outcome: 'unsent', answer: 'This console has no mail server.' };
      if (!message.person.verified)
        return { outcome: 'unsent', answer: 'Your e-mail address is not verified.' };
      try {
        return { outcome: 'sent', answer: shown(await mailer.send(writeMail(origin, message))) };
      } catch (error) {
        return readFailure(error);
      }
    },
  };
}

/** An error of nodemailer: what failed, and the answer of a server that was reached. */
const failureSchema = z.object({
  code: z.string().optional(),
  responseCode: z.number().optional(),
  response: z.string().optional(),
});

/**
 * An SMTP server that refuses a message for good (RFC 5321, 4.2.1) refuses it again. A refused login of the
 * console is not such a refusal. Without an answer, the reason would name addresses of the operator's
 * network, so only its code is told.
 */
function readFailure(error: unknown): Delivered {
  const { code = 'unknown', responseCode, response } = failureSchema.catch({}).parse(error);
  if (response === undefined)
    return { outcome: 'failed', answer: `The mail server could not be reached (${shown(code)}).` };
  const forGood =
    responseCode !== undefined && responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return { outcome: forGood ? 'refused' : 'failed', answer: shown(response) };
}

const shown = (text: string) => withoutHidden(text).replaceAll('\n', ' ').slice(0, answerCharacters);
