import { KeyError } from '@homeport/signer/key-error';
import { type FormEvent, useState } from 'react';
import { problemText } from '../data/problem-text.ts';
import { useSession } from '../data/session.ts';
import { findHeldKey } from '../keys/keystore/keystore.ts';
import { runInWorker } from '../keys/run-in-worker.ts';
import { Button } from '../ui/button/Button.tsx';
import { CodeLine } from '../ui/button/CodeLine.tsx';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import { PasswordField } from '../ui/form/Field.tsx';
import layout from '../ui/layout/layout.module.css';
import { saveTextFile } from '../ui/save-file.ts';
import typography from '../ui/text/typography.module.css';
import { keyFileName } from './key-file-name.ts';
import type { KeyRow } from './key-rows.ts';
import { unlockChoice } from './lock-request.ts';

/**
 * Saves a locked key as a file again. The lock's passphrase encrypts the file. The file of a key behind a
 * passkey is plain.
 */
export function ExportKeyDialog({ row, onClose }: { row: KeyRow; onClose: () => void }) {
  const { user } = useSession();
  const [passphrase, setPassphrase] = useState('');
  const [work, setWork] = useState<'rest' | 'busy' | 'saved'>('rest');
  const [error, setError] = useState<string | null>(null);
  const fileName = keyFileName(row.name);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setWork('busy');
    setError(null);
    try {
      const held = await findHeldKey(user.id, row.id);
      if (held?.secret.kind !== 'locked') throw new Error('This browser holds no locked copy of the key.');
      const { locked } = held.secret;
      const { type, blob, name } = held;
      const choice = await unlockChoice(locked, passphrase);
      const filePassphrase = locked.lock.kind === 'passphrase' ? passphrase : '';
      const made = await runInWorker({
        job: 'export',
        locked,
        type,
        blob,
        ...choice,
        comment: name,
        filePassphrase,
      });
      saveTextFile(fileName, made.file ?? '');
      setPassphrase('');
      setWork('saved');
    } catch (failure) {
      setError(failure instanceof KeyError ? failure.message : problemText(failure));
      setWork('rest');
    }
  };

  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      title={`Export ${row.name} again`}
      description="An OpenSSH private key file, made in this browser."
      footer={
        work === 'saved' ? (
          <Button className={layout.atEnd} variant="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button className={layout.atEnd} onClick={onClose}>
              Cancel
            </Button>
            <Button
              form="export-key"
              type="submit"
              variant="primary"
              icon="download"
              busy={work === 'busy'}
              busyLabel="Exporting"
            >
              Save the private key
            </Button>
          </>
        )
      }
    >
      {work === 'saved' ? (
        <div className={classNames(layout.stack, layout.gap2)}>
          <p className={typography.small} role="status">
            {fileName} was given to your browser’s downloads. Let nobody else on that computer read it:
          </p>
          <CodeLine text={`chmod 600 ~/Downloads/${fileName}`} what="command" wrap />
        </div>
      ) : (
        <form data-keeps="nothing" id="export-key" noValidate inert={work === 'busy'} onSubmit={submit}>
          <PasswordField
            label="Passphrase of the lock"
            autoComplete="off"
            secret="passphrase"
            value={passphrase}
            onChange={(event) => setPassphrase(event.currentTarget.value)}
            help="The file will ask for it too. Where a passkey locks the key, leave this empty."
            error={error}
          />
        </form>
      )}
    </Dialog>
  );
}
