import type { Key } from '@homeport/contract/credentials/schema';
import { nameProblem } from '@homeport/contract/fields/facts';
import { type DragEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { fieldProblem, problemText } from '../data/api-problem.ts';
import { useSession } from '../data/session.ts';
import { KeyError } from '../keys/key-error.ts';
import { keyFileBytes } from '../keys/key-file-limit.ts';
import { runInWorker } from '../keys/run-in-worker.ts';
import { Button } from '../ui/button/Button.tsx';
import { ButtonLink } from '../ui/button/ButtonLink.tsx';
import { classNames } from '../ui/class-names.ts';
import { Failed } from '../ui/feedback/States.tsx';
import controlsStyles from '../ui/form/controls.module.css';
import { PasswordField, Textarea, TextField } from '../ui/form/Field.tsx';
import layout from '../ui/layout/layout.module.css';
import panelStyles from '../ui/layout/panel.module.css';
import { holdPrivateHalf, keepKey } from './keep-key.ts';
import { LockFields, lockProblem } from './LockFields.tsx';
import { type LockRequest, lockChoice } from './lock-request.ts';
import styles from './PasteKeyForm.module.css';
import { readPublicPart } from './read-public-part.ts';
import { useFormFocus } from './use-form-focus.ts';
import { useReading } from './use-reading.ts';

export interface PasteKeyFormProps {
  /** A stored key whose private half is to be added; null for a new keypair. */
  target: Key | null;
  /** The form stays busy until it resolves. */
  onKept: (outcome: 'added' | 'known') => Promise<void>;
}

const accepted =
  'Needs a block that starts with BEGIN OPENSSH, RSA, EC or plain PRIVATE KEY, or a PuTTY file (.ppk).';
export function PasteKeyForm({ target, onKept }: PasteKeyFormProps) {
  const { user } = useSession();
  const form = useRef<HTMLFormElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(target?.name ?? '');
  const [publicText, setPublicText] = useState(target?.publicKey ?? '');
  const [privateText, setPrivateText] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [lock, setLock] = useState<LockRequest>({ kind: 'none' });
  const [refusals, setRefusals] = useState(0);
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [dropping, setDropping] = useState(false);
  useFormFocus(form, refusals);

  const publicPart = readPublicPart(publicText);
  const reading = useReading(privateText, publicPart.state === 'valid' ? publicPart.line : '');
  const checked = refusals > 0;

  // A private key that is not encrypted knows its public half.
  const derived = reading.state === 'plain' ? reading.publicKey : null;
  useEffect(() => {
    if (derived !== null) setPublicText((text) => (text.trim() === '' ? derived : text));
  }, [derived]);

  const keyFailure = failure instanceof KeyError ? failure : null;
  const asksPassphrase = reading.state === 'encrypted' || keyFailure?.code === 'passphrase_wrong';
  const privateError =
    reading.state === 'refused'
      ? reading.error
      : keyFailure && !keyFailure.code.startsWith('passphrase_')
        ? keyFailure
        : null;
  const missing =
    checked && privateText.trim() === '' ? 'Enter the private key, or drop its file here.' : null;
  const passphraseError =
    keyFailure?.code === 'passphrase_wrong'
      ? keyFailure.message
      : checked && asksPassphrase && passphrase === ''
        ? 'Enter the passphrase of this key.'
        : null;

  const take = async (dropped: File | undefined) => {
    if (!dropped) return;
    // A long file is cut: reading it as a key then says that it is none.
    const text = await dropped.slice(0, keyFileBytes + 1).text();
    setFailure(null);
    if (readPublicPart(text).state === 'valid' && !target) setPublicText(text.trim());
    else setPrivateText(text);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong =
      nameProblem(name) !== null ||
      publicPart.state === 'invalid' ||
      privateText.trim() === '' ||
      reading.state === 'refused' ||
      (asksPassphrase && passphrase === '') ||
      lockProblem(lock) !== null;
    setFailure(null);
    if (wrong) {
      setRefusals(refusals + 1);
      return;
    }
    setSending(true);
    try {
      const choice = await lockChoice(lock, { id: user.id, name: user.email });
      const publicKey = publicPart.state === 'valid' ? publicPart.line : '';
      const made = await runInWorker({
        job: 'import',
        text: privateText,
        passphrase,
        publicKey,
        lock: choice,
      });
      const trimmed = name.trim();
      const outcome = target ? 'known' : await keepKey(user.id, trimmed, made);
      if (target) await holdPrivateHalf(user.id, trimmed, made);
      setPrivateText('');
      setPassphrase('');
      await onKept(outcome);
    } catch (error) {
      setFailure(error);
      setRefusals(refusals + 1);
    } finally {
      setSending(false);
    }
  };

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDropping(false);
    void take(event.dataTransfer.files[0]);
  };
  const nameError = (checked ? nameProblem(name) : null) ?? fieldProblem(failure, 'name');

  return (
    <form
      ref={form}
      className={classNames(panelStyles.panel, dropping && styles.dropping)}
      noValidate
      inert={sending}
      onSubmit={submit}
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={drop}
    >
      <div className={classNames(panelStyles.body, layout.stack, layout.gap5)}>
        <TextField
          label="Name"
          className={controlsStyles.medium}
          autoComplete="off"
          readOnly={target !== null}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={nameError}
        />
        <Textarea
          label="Public key"
          mono
          rows={3}
          autoComplete="off"
          readOnly={target !== null}
          value={publicText}
          onChange={(event) => setPublicText(event.currentTarget.value)}
          help="The line in the file that ends in .pub. Left empty, it is worked out from the private key."
          ok={publicPart.state === 'valid' ? publicPart.word : null}
          error={publicPart.state === 'invalid' ? publicPart.message : fieldProblem(failure, 'publicKey')}
          hint={publicPart.state === 'invalid' ? publicPart.hint : undefined}
        />
        <Textarea
          label="Private key"
          mono
          rows={6}
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="none"
          value={privateText}
          onChange={(event) => {
            setPrivateText(event.currentTarget.value);
            setFailure(null);
          }}
          help="Paste it, or drop the file here. It is read in this browser and sent nowhere."
          ok={reading.state === 'plain' ? 'Fits the public key' : null}
          error={privateError?.message ?? missing}
          hint={privateError ? (privateError.hint ?? accepted) : undefined}
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
        {asksPassphrase && (
          <PasswordField
            label="Passphrase of this key"
            className={controlsStyles.medium}
            autoComplete="off"
            secret="passphrase"
            value={passphrase}
            onChange={(event) => {
              setPassphrase(event.currentTarget.value);
              setFailure(null);
            }}
            help="The file is encrypted. The passphrase opens it here and is then forgotten."
            error={passphraseError}
          />
        )}
        <TextField
          label="Fingerprint"
          mono
          readOnly
          value={publicPart.state === 'valid' ? publicPart.fingerprint : ''}
          help="Worked out from the public key."
        />
        <LockFields value={lock} onChange={setLock} checked={checked} />
        {failure !== null && !keyFailure && (
          <Failed title="The key was not added">{problemText(failure)}</Failed>
        )}
      </div>
      <div className={panelStyles.foot}>
        <ButtonLink to="/ssh-keys" className={layout.atEnd}>
          Cancel
        </ButtonLink>
        <Button type="submit" variant="primary" busy={sending} busyLabel="Adding">
          {target ? 'Add private key' : 'Add keypair'}
        </Button>
      </div>
    </form>
  );
}
