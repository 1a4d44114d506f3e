import { nameProblem } from '@homeport/contract/fields/facts';
import { KeyError } from '@homeport/signer/key-error';
import { type FormEvent, useRef, useState } from 'react';
import { fieldProblem, problemText } from '../data/problem-text.ts';
import { useSession } from '../data/session.ts';
import type { KeyJobResult } from '../keys/key-jobs.ts';
import { runInWorker } from '../keys/run-in-worker.ts';
import { Button } from '../ui/button/Button.tsx';
import { ButtonLink } from '../ui/button/ButtonLink.tsx';
import { classNames } from '../ui/class-names.ts';
import { Failed } from '../ui/feedback/States.tsx';
import controlsStyles from '../ui/form/controls.module.css';
import { TextField } from '../ui/form/Field.tsx';
import layout from '../ui/layout/layout.module.css';
import panelStyles from '../ui/layout/panel.module.css';
import { keepKey } from './keep-key.ts';
import { LockFields } from './LockFields.tsx';
import { type LockRequest, lockChoice, lockProblem } from './lock-request.ts';
import type { MadeKey } from './SaveKeyPanel.tsx';
import { useFormFocus } from './use-form-focus.ts';

/** Makes a keypair in this browser: Ed25519, or P-256 if the browser lacks Ed25519. */
export function GenerateKeyForm({ onMade }: { onMade: (made: MadeKey) => void }) {
  const { user } = useSession();
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState('');
  const [lock, setLock] = useState<LockRequest>({ kind: 'none' });
  const [refusals, setRefusals] = useState(0);
  const [sending, setSending] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  useFormFocus(form, refusals);
  const checked = refusals > 0;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    if (nameProblem(name) !== null || lockProblem(lock) !== null) {
      setRefusals(refusals + 1);
      return;
    }
    setSending(true);
    try {
      const choice = await lockChoice(lock, { id: user.id, name: user.email });
      // A plain file beside a locked key would undo the lock.
      const filePassphrase = lock.kind === 'passphrase' ? lock.passphrase : '';
      const trimmed = name.trim();
      const made = await runInWorker({ job: 'generate', comment: trimmed, filePassphrase, lock: choice });
      await keepKey(user.id, trimmed, made);
      onMade(toMadeKey(trimmed, made, filePassphrase !== ''));
    } catch (error) {
      setFailure(error);
      setRefusals(refusals + 1);
    } finally {
      setSending(false);
    }
  };

  return (
    <form ref={form} className={panelStyles.panel} noValidate inert={sending} onSubmit={submit}>
      <div className={classNames(panelStyles.body, layout.stack, layout.gap5)}>
        <TextField
          label="Name"
          className={controlsStyles.medium}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          help="Where the key lives: harbour-desk, laptop."
          error={(checked ? nameProblem(name) : null) ?? fieldProblem(failure, 'name')}
        />
        <LockFields value={lock} onChange={setLock} checked={checked} />
        {failure !== null && (
          <Failed title="The key was not made">
            {failure instanceof KeyError ? `${failure.message} ${failure.hint ?? ''}` : problemText(failure)}
          </Failed>
        )}
      </div>
      <div className={panelStyles.foot}>
        <ButtonLink to="/ssh-keys" className={layout.atEnd}>
          Cancel
        </ButtonLink>
        <Button type="submit" variant="primary" icon="key" busy={sending} busyLabel="Generating">
          Generate keypair
        </Button>
      </div>
    </form>
  );
}

function toMadeKey(name: string, made: KeyJobResult, encrypted: boolean): MadeKey {
  const { publicKey, md5, file, secret } = made;
  return {
    name,
    publicKey,
    fingerprint: md5,
    file: file ?? '',
    encrypted,
    locked: secret?.kind === 'locked',
  };
}
