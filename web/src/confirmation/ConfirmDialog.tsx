import { confirmedMinutes, passwordCharacters } from '@homeport/contract/identity/facts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { signOut } from '../data/auth.ts';
import { call } from '../data/call.ts';
import { fieldProblem, problemText } from '../data/problem-text.ts';
import { confirmationKey } from '../data/query-keys.ts';
import { signWithPasskey } from '../keys/passkey-device.ts';
import { NotLoaded } from '../page-frame/NotLoaded.tsx';
import { Button } from '../ui/button/Button.tsx';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../ui/dialog/SubmitButtons.tsx';
import { Banner } from '../ui/feedback/Banner.tsx';
import { PasswordField } from '../ui/form/Field.tsx';
import layout from '../ui/layout/layout.module.css';

type Ways = Awaited<ReturnType<typeof begin>>;
const begin = () => call('POST /api/session/confirm/begin');

export interface ConfirmDialogProps {
  onAnswer: (confirmed: boolean) => void;
}

/** Asks for the password or a passkey. The act that needs it goes on by itself afterwards. */
export function ConfirmDialog({ onAnswer }: ConfirmDialogProps) {
  const formId = useId();
  const ways = useQuery({ queryKey: confirmationKey, queryFn: begin, gcTime: 0, refetchInterval: false });
  const confirm = useMutation({
    mutationFn: (body: Parameters<typeof send>[0]) => send(body),
    onSuccess: () => onAnswer(true),
  });
  const cancel = () => onAnswer(false);
  return (
    <Dialog
      open
      onClose={cancel}
      size="slim"
      title="Confirm that it is you"
      description={`What you are about to allow opens your account, your apps or this console for long. You are not asked again for ${confirmedMinutes} minutes.`}
      footer={
        ways.data?.password ? (
          <SubmitButtons form={formId} onCancel={cancel} busy={confirm.isPending} busyLabel="Confirming">
            Confirm
          </SubmitButtons>
        ) : (
          <Button className={layout.atEnd} onClick={cancel}>
            Cancel
          </Button>
        )
      }
    >
      <NotLoaded query={ways} title="The ways to confirm could not be loaded" rows={1} />
      {ways.data && (
        <ConfirmForm
          formId={formId}
          ways={ways.data}
          busy={confirm.isPending}
          error={confirm.error}
          onPassword={(password) => confirm.mutate({ by: 'password', password })}
          onPasskey={() => confirm.mutate({ by: 'passkey' })}
        />
      )}
    </Dialog>
  );
}

/** A passkey signs a challenge of its own for each try, because a challenge works once. */
async function send(given: { by: 'password'; password: string } | { by: 'passkey' }) {
  if (given.by === 'password') return call('POST /api/session/confirm', { body: given });
  const { passkey } = await begin();
  if (!passkey) throw new Error('Your account has no passkey any more.');
  return call('POST /api/session/confirm', { body: { by: 'passkey', used: await signWithPasskey(passkey) } });
}

interface ConfirmFormProps {
  formId: string;
  ways: Ways;
  busy: boolean;
  error: Error | null;
  onPassword: (password: string) => void;
  onPasskey: () => void;
}

function ConfirmForm({ formId, ways, busy, error, onPassword, onPasskey }: ConfirmFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const refusal = fieldProblem(error, 'password');
  // The field appears after the dialog has opened, and after a refusal the person types again.
  useEffect(() => {
    if (!busy) input.current?.focus();
  }, [busy]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onPassword(password);
  };
  return (
    <form data-keeps="nothing" id={formId} className={layout.stack} noValidate inert={busy} onSubmit={submit}>
      {error && !refusal && (
        <Banner tone="bad">
          <p>{problemText(error)}</p>
        </Banner>
      )}
      {ways.password && (
        <PasswordField
          ref={input}
          label="Your password"
          autoComplete="current-password"
          maxLength={passwordCharacters.most}
          value={password}
          error={refusal}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      {ways.passkey && (
        <Button block icon="key" onClick={onPasskey}>
          Use a passkey
        </Button>
      )}
      {!ways.password && !ways.passkey && <SignInAgain />}
    </form>
  );
}

/** An account that only GitHub opens confirms with what it has: a new sign-in. */
function SignInAgain() {
  const again = useMutation({
    async mutationFn() {
      const left = await signOut();
      if (!left.ok) throw new Error(left.message);
    },
    onSuccess: () => location.assign(`/login?${new URLSearchParams({ next: location.pathname })}`),
  });
  return (
    <>
      <p>
        Your account has no password and no passkey. Sign out and in again with GitHub, then repeat what you
        were about to do. Your connections to servers close.
      </p>
      {again.error && (
        <Banner tone="bad">
          <p>{problemText(again.error)}</p>
        </Banner>
      )}
      <Button block busy={again.isPending} busyLabel="Signing out" onClick={() => again.mutate()}>
        Sign out and in again
      </Button>
    </>
  );
}
