import type { ReactElement } from 'react';
import { ConfirmOpening } from './ConfirmOpening.tsx';
import { ChangedHostKey, FirstHostKey } from './HostKeyDialogs.tsx';
import { PlainSignature } from './PlainSignature.tsx';
import type { ConnectionQuestion } from './questions.ts';
import { AskPassword, AskPrompts, AskUnlock } from './SecretDialogs.tsx';

/** The dialog for one question. Closing the dialog in any way answers no. */
export function QuestionDialog({ question }: { question: ConnectionQuestion }): ReactElement {
  const { about, server, user } = question;
  switch (about.status) {
    case 'host_key_question':
      return <FirstHostKey server={server} about={about} />;
    case 'host_key_changed':
      return <ChangedHostKey server={server} about={about} />;
    case 'plain_signature_question':
      return <PlainSignature server={server} about={about} />;
    case 'needs_password':
      return <AskPassword server={server} user={user} about={about} />;
    case 'needs_answers':
      return <AskPrompts server={server} user={user} about={about} />;
    case 'key_locked':
      return <AskUnlock server={server} about={about} />;
    case 'needs_confirmation':
      return <ConfirmOpening server={server} user={user} about={about} />;
  }
}
