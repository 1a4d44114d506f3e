import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../button/Button.tsx';
import { classNames } from '../class-names.ts';
import { Failed } from '../feedback/States.tsx';
import controlsStyles from '../form/controls.module.css';
import layout from '../layout/layout.module.css';
import typography from '../text/typography.module.css';
import { Dialog } from './Dialog.tsx';

export interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  /** "Destroy ledger-api?" */
  title: string;
  /** Says what stops working. */
  description: ReactNode;
  /** The button repeats the verb: "Destroy app". */
  action: string;
  busyLabel: string;
  /** Resolves when the act is done and the dialog may close. The dialog shows a rejection. */
  onConfirm: () => Promise<void>;
  /** The exact word that the user must type. */
  typed?: string;
  children?: ReactNode;
}

/** Cancel has the focus. With `typed`, the button stays disabled until the exact word is typed. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  description,
  action,
  busyLabel,
  onConfirm,
  typed,
  children,
}: ConfirmDialogProps) {
  const [word, setWord] = useState('');
  const [work, setWork] = useState<
    { state: 'rest' } | { state: 'busy' } | { state: 'failed'; reason: string }
  >({
    state: 'rest',
  });
  const cancel = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const ready = typed === undefined || word === typed;

  const close = () => {
    setWord('');
    setWork({ state: 'rest' });
    onClose();
  };
  const confirm = async () => {
    if (!ready || work.state === 'busy') return;
    setWork({ state: 'busy' });
    try {
      await onConfirm();
      close();
    } catch (error) {
      setWork({
        state: 'failed',
        reason: error instanceof Error ? error.message : 'The console gave no reason.',
      });
    }
  };

  return (
    <Dialog
      open={open}
      onClose={close}
      locked={work.state === 'busy'}
      alert
      size="slim"
      title={title}
      description={description}
      initialFocus={typed === undefined ? cancel : input}
      footer={
        <>
          <Button ref={cancel} className={layout.atEnd} onClick={close} disabled={work.state === 'busy'}>
            Cancel
          </Button>
          <Button
            variant="danger"
            disabled={!ready}
            busy={work.state === 'busy'}
            busyLabel={busyLabel}
            onClick={confirm}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
      {typed !== undefined && (
        <form
          data-keeps="nothing"
          className={controlsStyles.field}
          onSubmit={(event) => {
            event.preventDefault();
            void confirm();
          }}
        >
          <label htmlFor="confirm-word">
            <span>
              Type <code>{typed}</code> to confirm
            </span>
          </label>
          <input
            ref={input}
            id="confirm-word"
            className={classNames(controlsStyles.input, controlsStyles.monospaced, typography.monospace)}
            autoComplete="off"
            spellCheck={false}
            value={word}
            onChange={(event) => setWord(event.currentTarget.value)}
          />
        </form>
      )}
      {work.state === 'failed' && <Failed title="The action failed">{work.reason}</Failed>}
    </Dialog>
  );
}
