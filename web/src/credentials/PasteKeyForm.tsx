import type { Key } from '@homeport/contract/credentials/schema';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { fieldProblem, problemText } from '../data/problem-text.ts';
import { Button } from '../ui/button/Button.tsx';
import { ButtonLink } from '../ui/button/ButtonLink.tsx';
import { classNames } from '../ui/class-names.ts';
import { Failed } from '../ui/feedback/States.tsx';
import controlsStyles from '../ui/form/controls.module.css';
import { PasswordField, TextField } from '../ui/form/Field.tsx';
import { Textarea } from '../ui/form/Textarea.tsx';
import layout from '../ui/layout/layout.module.css';
import panelStyles from '../ui/layout/panel.module.css';
import { LockFields } from './LockFields.tsx';
import styles from './PasteKeyForm.module.css';
import { useFormFocus } from './use-form-focus.ts';
import { type PasteKey, usePasteKey } from './use-paste-key.ts';

export interface PasteKeyFormProps {
  /** A stored key that lacks its private half here. null for a new keypair. */
  target: Key | null;
  /** The form stays busy until the promise resolves. */
  onKept: (outcome: 'added' | 'known') => Promise<void>;
}

export function PasteKeyForm({ target, onKept }: PasteKeyFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const pasting = usePasteKey(target, onKept);
  const { state, dispatch, publicPart, judgement, take, submit } = pasting;
  useFormFocus(form, state.refusals);

  return (
    <FormTakingFiles form={form} inert={state.sending} onFile={take} onSubmit={submit}>
      <div className={classNames(panelStyles.body, layout.stack, layout.gap5)}>
        <TextField
          label="Name"
          className={controlsStyles.medium}
          autoComplete="off"
          readOnly={target !== null}
          value={state.name}
          onChange={(event) => dispatch({ kind: 'named', name: event.currentTarget.value })}
          error={judgement.nameError}
        />
        <Textarea
          label="Public key"
          mono
          rows={3}
          autoComplete="off"
          readOnly={target !== null}
          value={state.publicText}
          onChange={(event) => dispatch({ kind: 'public key typed', text: event.currentTarget.value })}
          help="The line in the file that ends in .pub. Left empty, it is worked out from the private key."
          ok={publicPart.state === 'valid' ? publicPart.word : null}
          error={
            publicPart.state === 'invalid' ? publicPart.message : fieldProblem(state.failure, 'publicKey')
          }
          hint={publicPart.state === 'invalid' ? publicPart.hint : undefined}
        />
        <PrivateKeyFields {...pasting} />
        <TextField
          label="Fingerprint"
          mono
          readOnly
          value={publicPart.state === 'valid' ? publicPart.fingerprint : ''}
          help="Worked out from the public key."
        />
        <LockFields
          value={state.lock}
          onChange={(lock) => dispatch({ kind: 'lock chosen', lock })}
          checked={state.refusals > 0}
        />
        {judgement.otherFailure !== null && (
          <Failed title="The key was not added">{problemText(judgement.otherFailure)}</Failed>
        )}
      </div>
      <div className={panelStyles.foot}>
        <ButtonLink to="/ssh-keys" className={layout.atEnd}>
          Cancel
        </ButtonLink>
        <Button type="submit" variant="primary" busy={state.sending} busyLabel="Adding">
          {target ? 'Add private key' : 'Add keypair'}
        </Button>
      </div>
    </FormTakingFiles>
  );
}

interface FormTakingFilesProps {
  form: RefObject<HTMLFormElement | null>;
  inert: boolean;
  onFile: (file: File | undefined) => Promise<void>;
  onSubmit: () => Promise<void>;
  children: ReactNode;
}

/** The whole form accepts dropped files. */
function FormTakingFiles({ form, inert, onFile, onSubmit, children }: FormTakingFilesProps) {
  const [dropping, setDropping] = useState(false);
  return (
    <form
      ref={form}
      className={classNames(panelStyles.panel, dropping && styles.dropping)}
      noValidate
      inert={inert}
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        event.preventDefault();
        setDropping(false);
        void onFile(event.dataTransfer.files[0]);
      }}
    >
      {children}
    </form>
  );
}

/** The private key, typed or from a file. An encrypted key also needs its passphrase. */
function PrivateKeyFields({ state, dispatch, reading, judgement, take }: PasteKey) {
  const file = useRef<HTMLInputElement>(null);
  const { privateError, passphraseError } = judgement;
  return (
    <>
      <Textarea
        label="Private key"
        mono
        rows={6}
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="none"
        value={state.privateText}
        onChange={(event) => dispatch({ kind: 'private key typed', text: event.currentTarget.value })}
        help="Paste it, or drop the file here. It is read in this browser and sent nowhere."
        ok={reading.state === 'plain' ? 'Fits the public key' : null}
        error={privateError?.message ?? null}
        hint={privateError?.hint}
      />
      <div>
        <input
          ref={file}
          type="file"
          className={layout.visuallyHidden}
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event) => {
            void take(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
        <Button size="sm" icon="upload" onClick={() => file.current?.click()}>
          Choose a key file
        </Button>
      </div>
      {judgement.asksPassphrase && (
        <PasswordField
          label="Passphrase of this key"
          className={controlsStyles.medium}
          autoComplete="off"
          secret="passphrase"
          value={state.passphrase}
          onChange={(event) => dispatch({ kind: 'passphrase typed', text: event.currentTarget.value })}
          help="The file is encrypted. The passphrase opens it here and is then forgotten."
          error={passphraseError}
        />
      )}
    </>
  );
}
