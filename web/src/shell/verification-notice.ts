export interface VerificationNotice {
  /** Where the user finds the message. */
  text: string;
  /** Whether the user may read the outbox. */
  outbox: boolean;
  again: string;
  /** Shown after the message was written again. */
  done: string;
}

/**
 * Says where the message that verifies an address is. A console without a mail server keeps it in its outbox.
 */
export function verificationNotice(
  email: string,
  { owner, mailConfigured }: { owner: boolean; mailConfigured: boolean },
): VerificationNotice {
  if (mailConfigured)
    return {
      text: `We sent a verification e-mail to ${email}.`,
      outbox: false,
      again: 'Send again',
      done: `Verification e-mail sent to ${email}`,
    };
  return {
    text: owner
      ? `This console has no mail server. The message that verifies ${email} is in your outbox, and in the terminal that runs the console.`
      : `This console has no mail server. Its owner finds the message that verifies ${email} in the outbox: ask for the link in it.`,
    outbox: owner,
    again: 'Write it again',
    done: 'A new verification message is in the outbox',
  };
}
