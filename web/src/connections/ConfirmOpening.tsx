import { Button } from '../ui/button/Button.tsx';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import layout from '../ui/layout/layout.module.css';
import type { About, ConnectionQuestion } from './questions.ts';

const reasons = {
  asked_each_time: 'You chose to be asked before each connection to this server.',
  many_openings:
    'This page proved itself to the server many times within the last minute. Continue only if you are working with this server now.',
} as const;

/** Asks for a yes or no before this page proves the user's identity. */
export function ConfirmOpening({
  server,
  user,
  about,
}: Pick<ConnectionQuestion, 'server' | 'user'> & { about: About<'needs_confirmation'> }) {
  return (
    <Dialog
      open
      alert
      size="slim"
      title={`Connect to ${server.name} as ${user}?`}
      description={reasons[about.reason]}
      onClose={() => about.answer(false)}
      footer={
        <>
          <Button className={layout.atEnd} onClick={() => about.answer(false)}>
            Cancel
          </Button>
          <Button variant="primary" onClick={() => about.answer(true)}>
            Connect
          </Button>
        </>
      }
    />
  );
}
