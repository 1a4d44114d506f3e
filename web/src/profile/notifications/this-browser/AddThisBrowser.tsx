import { nameCharacters, nameProblem } from '@homeport/contract/fields/facts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { callConfirmed } from '../../../data/call-confirmed.ts';
import { renewTopic } from '../../../data/live/renew-topic.ts';
import { fieldProblem } from '../../../data/problem-text.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../../ui/dialog/SubmitButtons.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import { TextField } from '../../../ui/form/Field.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import { browserName } from './browser-name.ts';
import { NotTurnedOn, turnOn } from './push-device.ts';
import { remember } from './remembered.ts';
import { readBrowserFacts, whyNot } from './why-not.ts';

interface Props {
  onBack: () => void;
  onClose: () => void;
}

/** Makes this browser a destination. The browser asks its person at the press of the button, and at no other time. */
export function AddThisBrowser({ onBack, onClose }: Props) {
  const formId = useId();
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(() => browserName(navigator.userAgent));
  const add = useMutation({
    mutationFn: async () => {
      const { target, undo } = await turnOn();
      return callConfirmed('POST /api/destinations', { body: { name, target } }).catch(
        async (error: unknown) => {
          await undo().catch(() => undefined);
          throw error;
        },
      );
    },
    onSuccess: async ({ record }) => {
      remember(record.id);
      toast.ok(`${record.name} added`);
      await renewTopic(client, 'destinations');
      onClose();
    },
  });
  const reason = whyNot(readBrowserFacts());
  const wrongName = nameProblem(name) ?? fieldProblem(add.error, 'name');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (nameProblem(name) !== null) field.current?.focus();
    else add.mutate();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add destination: This browser"
      description="News is shown on this device by its browser, also while the console is not open."
      initialFocus={field}
      footer={
        <>
          <Button onClick={onBack}>Back</Button>
          {reason === null && (
            <SubmitButtons
              form={formId}
              onCancel={onClose}
              busy={add.isPending}
              busyLabel="Asking the browser"
            >
              Turn on
            </SubmitButtons>
          )}
        </>
      }
    >
      {reason !== null ? (
        <Banner tone="warn">
          <p>{reason}</p>
        </Banner>
      ) : (
        <form id={formId} className={layout.stack} noValidate inert={add.isPending} onSubmit={submit}>
          {add.error instanceof NotTurnedOn ? (
            <Banner tone="bad">
              <p>{add.error.message} Nothing was added.</p>
            </Banner>
          ) : (
            add.error && !fieldProblem(add.error, 'name') && <ProblemBanner error={add.error} />
          )}
          <TextField
            ref={field}
            label="Name"
            help="How you know this browser again."
            autoComplete="off"
            maxLength={nameCharacters}
            value={name}
            error={wrongName ?? undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <p className={typography.small}>
            News goes on to arrive here after you sign out, until you remove this destination. Whoever looks
            at this device sees it, on its lock screen too.
          </p>
        </form>
      )}
    </Dialog>
  );
}
