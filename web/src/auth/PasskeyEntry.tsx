import { useState } from 'react';
import { safeNext } from '../data/safe-next.ts';
import { leaveFor } from '../data/signed-out-address.ts';
import { Button } from '../ui/button/Button.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import { tellPartMissing } from './part-missing.ts';
import { beginPasskeySignIn, finishPasskeySignIn } from './sign-in.ts';

export interface PasskeyEntryProps {
  /** The address to open after signing in, as the query gives it. */
  next: string | undefined;
  /** The passkey is right, and the account asks for a code next. */
  onSecondStep: () => Promise<boolean>;
}

const loadDevice = () => import('../keys/passkey-device.ts');

/** Asks the console what to sign, has the device sign it, and hands the answer over. null: this page's code for devices did not arrive. */
async function signIn() {
  const [begun, device] = await Promise.all([beginPasskeySignIn(), loadDevice().catch(() => null)]);
  if (!begun.ok) return begun;
  if (!device) return null;
  try {
    return await finishPasskeySignIn(await device.signWithPasskey(begun.options));
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : 'No passkey was used.' } as const;
  }
}

/** The way in with a passkey: the device shows which ones it has for this console. */
export function PasskeyEntry({ next, onSecondStep }: PasskeyEntryProps) {
  const [signingIn, setSigningIn] = useState(false);
  const enter = async () => {
    setSigningIn(true);
    const result = await signIn();
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
      onPointerEnter={() => void loadDevice().catch(() => {})}
      onFocus={() => void loadDevice().catch(() => {})}
      onClick={() => void enter()}
    >
      Sign in with a passkey
    </Button>
  );
}
