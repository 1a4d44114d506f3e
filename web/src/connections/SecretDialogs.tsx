import { utf8 } from '@homeport/signer/bytes';
import { type FormEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import type { LockSecret } from '../keys/keystore/lock-key.ts';
import { askPasskey } from '../keys/keystore/passkey.ts';
import { forgetAfterMs, unlock } from '../keys/keystore/unlocked-keys.ts';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../ui/dialog/SubmitButtons.tsx';
import controlsStyles from '../ui/form/controls.module.css';
import { PasswordField, TextField } from '../ui/form/Field.tsx';
import layout from '../ui/layout/layout.module.css';
import type { About, ConnectionQuestion } from './questions.ts';

type Asked<S extends ConnectionQuestion['about']['status']> = Pick<ConnectionQuestion, 'server' | 'user'> & {
  about: About<S>;
};

/**
 * Asks for a password that serves one handshake. The dialog empties the field, and the sender zero-fills the
 * bytes.
 */
export function AskPassword({ server, user, about }: Asked<'needs_password'>) {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);
  return (
    <SecretForm
      title={`Password of ${user} on ${server.name}`}
      description={`For ${user}@${server.ip}. It goes to the server once, for this connection, and is not kept.`}
      focus={input}
      onClose={() => about.answer(null)}
      onSubmit={() => {
        const value = input.current?.value ?? '';
        if (value === '') return setError('Enter the password.');
        if (input.current) input.current.value = '';
        about.answer(utf8(value));
      }}
    >
      <PasswordField
        ref={input}
        label="Password"
        autoComplete="off"
        error={error}
        onChange={() => setError(null)}
      />
    </SecretForm>
  );
}

/** Prompts of the server itself, such as a one-time code or a second password. */
export function AskPrompts({ server, user, about }: Asked<'needs_answers'>) {
  const inputs = useRef<(HTMLInputElement | null)[]>([]);
  const first = useRef<HTMLInputElement>(null);
  return (
    <SecretForm
      title={`${server.name} asks`}
      description={`The server’s own words, for ${user}@${server.ip}. Your answers go to it once and are not kept.`}
      focus={first}
      onClose={() => about.answer(null)}
      onSubmit={() => {
        const answers = about.prompts.map((_prompt, index) => inputs.current[index]?.value ?? '');
        for (const input of inputs.current) if (input) input.value = '';
        about.answer(answers);
      }}
    >
      {about.prompts.map((prompt, index) => {
        const take = (input: HTMLInputElement | null) => {
          inputs.current[index] = input;
          if (index === 0) first.current = input;
        };
        const common = { ref: take, label: prompt.text, autoComplete: 'off' };
        const key = `${index} ${prompt.text}`;
        return prompt.echo ? <TextField key={key} {...common} /> : <PasswordField key={key} {...common} />;
      })}
    </SecretForm>
  );
}

/** Unlocks a key that this browser keeps locked. The key stays unlocked for a while. */
export function AskUnlock({ server, about }: Omit<Asked<'key_locked'>, 'user'>) {
  const { held, pepper } = about;
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const lock = held.secret.kind === 'locked' ? held.secret.locked.lock : null;
  const open = async (secret: () => LockSecret | Promise<LockSecret>) => {
    setBusy(true);
    try {
      about.answer(await unlock(held, await secret(), pepper));
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : 'The key could not be unlocked.');
    } finally {
      setBusy(false);
    }
  };
  return (
    <SecretForm
      title={`Unlock the key ${held.name}`}
      description={`The page needs this key to connect to ${server.name}. The key locks again after ${forgetAfterMs / 60_000} minutes without use.`}
      submit={lock?.kind === 'passkey' ? 'Use the passkey' : 'Unlock'}
      busy={busy}
      focus={input}
      onClose={() => about.answer(null)}
      onSubmit={() => {
        if (lock?.kind === 'passkey') return void open(() => askPasskey(lock.credentialId));
        const passphrase = input.current?.value ?? '';
        if (passphrase === '') return setError('Enter the passphrase.');
        void open(() => ({ kind: 'passphrase', passphrase }));
      }}
    >
      {lock?.kind === 'passkey' ? (
        error && (
          <p className={controlsStyles.error} role="alert">
            {error}
          </p>
        )
      ) : (
        <PasswordField
          ref={input}
          label="Passphrase"
          secret="passphrase"
          autoComplete="off"
          error={error}
          onChange={() => setError(null)}
        />
      )}
    </SecretForm>
  );
}

function SecretForm({
  title,
  description,
  submit = 'Connect',
  busy = false,
  onClose,
  onSubmit,
  focus,
  children,
}: {
  title: string;
  description: string;
  submit?: string;
  busy?: boolean;
  onClose: () => void;
  onSubmit: () => void;
  /** The field that takes the focus first. */
  focus: RefObject<HTMLInputElement | null>;
  children: ReactNode;
}) {
  const form = useId();
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onSubmit();
  };
  return (
    <Dialog
      open
      size="slim"
      title={title}
      description={description}
      initialFocus={focus}
      onClose={onClose}
      footer={
        <SubmitButtons form={form} onCancel={onClose} busy={busy} busyLabel="Unlocking">
          {submit}
        </SubmitButtons>
      }
    >
      <form data-keeps="nothing" id={form} className={classNames(layout.stack, layout.gap4)} onSubmit={send}>
        {children}
      </form>
    </Dialog>
  );
}
