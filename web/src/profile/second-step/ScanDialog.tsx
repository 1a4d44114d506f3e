import { appCodeDigits } from '@homeport/contract/identity/facts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { encode } from 'uqr';
import { fieldProblem } from '../../data/problem-text.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { CodeLine } from '../../ui/button/CodeLine.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { TextField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import { useFocusAfterRefusal } from '../use-focus-after-refusal.ts';
import styles from './ScanDialog.module.css';
import { confirmSecondStep } from './second-step-calls.ts';

export interface ScanDialogProps {
  /** The `otpauth:` address that an authenticator app takes. */
  address: string;
  onDone: () => void;
  onClose: () => void;
}

/** Hands the secret to an authenticator app, and asks for the app's first code. */
export function ScanDialog({ address, onDone, onClose }: ScanDialogProps) {
  const formId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const confirm = useMutation({ mutationFn: confirmSecondStep, onSuccess: onDone });
  useFocusAfterRefusal(confirm.error, 'code', input);
  const refusal = fieldProblem(confirm.error, 'code');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(code.replaceAll(' ', ''));
  };
  const secret = new URL(address).searchParams.get('secret') ?? '';
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add Homeport to your authenticator app"
      description="Scan the picture with the app, or copy the secret into it. Then enter the code that the app shows."
      initialFocus={input}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={confirm.isPending} busyLabel="Checking">
          Turn on
        </SubmitButtons>
      }
    >
      <form
        data-keeps="nothing"
        id={formId}
        className={layout.stack}
        noValidate
        inert={confirm.isPending}
        onSubmit={submit}
      >
        {confirm.error && !refusal && <ProblemBanner error={confirm.error} />}
        <div className={classNames(layout.row, layout.gap4, styles.scan)}>
          <QrCode text={address} label="The secret as a QR code" />
          <div className={classNames(layout.stack, layout.gap2, layout.grow)}>
            <span className={typography.small}>Secret</span>
            <CodeLine text={secret} what="secret" wrap />
          </div>
        </div>
        <TextField
          ref={input}
          label="Code of the app"
          mono
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={appCodeDigits + 1}
          value={code}
          error={refusal}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}

/** Dark on light in both themes, because cameras read it so. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg className={styles.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} />
    </svg>
  );
}
