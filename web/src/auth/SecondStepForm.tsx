import { appCodeDigits, recoveryCodeCharacters } from '@homeport/contract/identity/facts';
import { useActionState, useRef, useState } from 'react';
import { send } from '../data/auth.ts';
import { safeNext } from '../data/safe-next.ts';
import { leaveFor } from '../data/signed-out-address.ts';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { LinkButton } from '../ui/feedback/Banner.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import { TextField } from '../ui/form/Field.tsx';
import layout from '../ui/layout/layout.module.css';
import { AuthPage } from './AuthPage.tsx';
import authStyles from './auth.module.css';
import { formText } from './form-text.ts';
import { useFocusAfterFailure } from './use-focus-after-failure.ts';

export interface SecondStepFormProps {
  next: string | undefined;
  /** The first step. */
  after: FirstStep;
  onBack: () => void;
}

const firstStepDone = {
  password: 'Your password is right.',
  github: 'GitHub knows you.',
  passkey: 'Your passkey is right.',
} as const;
export type FirstStep = keyof typeof firstStepDone;

/** Asks for the code of the authenticator app, or for a recovery code, after the first step. */
export function SecondStepForm({ next, after, onBack }: SecondStepFormProps) {
  const [by, setBy] = useState<'app' | 'recovery'>('app');
  const code = useRef<HTMLInputElement>(null);
  const [failures, submit, sending] = useActionState(async (before: number, form: FormData) => {
    const typed = formText(form, 'code').replaceAll(' ', '');
    const result = await (by === 'app' ? sendAppCode(typed) : sendRecoveryCode(typed));
    if (result.ok) {
      await leaveFor(safeNext(next) ?? '/home');
      return 0;
    }
    toast.bad(result.message);
    if (result.code === 'not_signed_in') onBack();
    return before + 1;
  }, 0);
  useFocusAfterFailure(failures, code);
  const byApp = by === 'app';
  return (
    <AuthPage
      title="Second step"
      lead={
        byApp
          ? `${firstStepDone[after]} Enter the code that your authenticator app shows now.`
          : 'Enter one of your recovery codes. Each works once.'
      }
    >
      <form className={classNames(layout.stack, layout.gap6)} action={submit} inert={sending}>
        <TextField
          key={by}
          ref={code}
          label={byApp ? 'Code of the app' : 'Recovery code'}
          name="code"
          mono
          required
          autoFocus
          autoComplete="one-time-code"
          {...(byApp
            ? { inputMode: 'numeric' as const, maxLength: appCodeDigits + 1 }
            : { maxLength: recoveryCodeCharacters })}
        />
        <Button type="submit" variant="primary" size="lg" block busy={sending} busyLabel="Signing in">
          Sign in
        </Button>
      </form>
      <p className={classNames(authStyles.foot, layout.row, layout.spaceBetween)}>
        <LinkButton onClick={() => setBy(byApp ? 'recovery' : 'app')}>
          {byApp ? 'Use a recovery code' : 'Use the app'}
        </LinkButton>
        <LinkButton onClick={onBack}>Back to sign in</LinkButton>
      </p>
    </AuthPage>
  );
}

const sendAppCode = (code: string) => send('two-factor/verify-totp', { code });
const sendRecoveryCode = (code: string) => send('two-factor/verify-backup-code', { code });
