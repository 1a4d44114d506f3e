import { useState } from 'react';
import { safeNext } from '../data/safe-next.ts';
import { leaveFor } from '../data/signed-out-address.ts';
import { Button } from '../ui/button/Button.tsx';
import { tellPartMissing } from '../ui/feedback/part-missing.ts';
import { toast } from '../ui/feedback/toasts.ts';

export interface PasskeyEntryProps {
  /** The address to open after signing in, as the query gives it. */
  next: string | undefined;
  /** The passkey is right, and the account asks for a code next. */
  onSecondStep: () => Promise<boolean>;
}

const loadSignIn = () => import('./passkey-sign-in.ts');

/** The way in with a passkey: the device shows which ones it has for this console. */
export function PasskeyEntry({ next, onSecondStep }: PasskeyEntryProps) {
  const [signingIn, setSigningIn] = useState(false);
  const enter = async () => {
    setSigningIn(true);
    const loaded = await loadSignIn().catch(() => null);
    const result = await loaded?.signInWithPasskey();
    if (result?.ok && !result.secondStep) return leaveFor(safeNext(next) ?? '/home');
    if (!result) tellPartMissing();
    else if (result.ok) await onSecondStep();
    else toast.bad(result.message);
    setSigningIn(false);
  };
  return (
    <Button
      size="lg"
      block
      icon="key"
      busy={signingIn}
      busyLabel="Waiting for the passkey"
      // Loaded when somebody reaches for the button. The press waits for it, and tells a failure.
      onPointerEnter={() => void loadSignIn().catch(() => {})}
      onFocus={() => void loadSignIn().catch(() => {})}
      onClick={() => void enter()}
    >
      Sign in with a passkey
    </Button>
  );
}
