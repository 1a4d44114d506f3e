import { clickAgain } from '@homeport/contract/limits';
import { messages } from '@homeport/contract/messages';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../button/Button.tsx';
import { toast } from '../feedback/toasts.ts';

export interface ClickAgainButtonProps {
  /** The action with its object: "Delete rule 2". */
  label: string;
  /** Names the thing in the message of the first click. */
  what: string;
  busy?: boolean;
  onArm?: (armed: boolean) => void;
  onConfirm: () => void;
}

/** Deletes at the second click on the same button. The first one is taken back by leaving the button, by Escape and by time. */
export function ClickAgainButton({ label, what, busy = false, onArm, onConfirm }: ClickAgainButtonProps) {
  const [armed, setArmed] = useState(false);
  const armedAt = useRef(0);
  const button = useRef<HTMLButtonElement>(null);
  const arm = (next: boolean) => {
    setArmed(next);
    onArm?.(next);
  };
  const latest = useRef(arm);
  latest.current = arm;

  useEffect(() => {
    if (!armed) return;
    // The first click has drawn another button in the place of its own.
    button.current?.focus();
    const timer = setTimeout(() => latest.current(false), clickAgain.withinMs);
    return () => clearTimeout(timer);
  }, [armed]);

  const press = () => {
    if (!armed) {
      armedAt.current = performance.now();
      arm(true);
      toast.info(messages.clickAgain, { detail: what, atOnce: true });
    } else if (performance.now() - armedAt.current >= clickAgain.apartMs) {
      arm(false);
      onConfirm();
    }
  };
  if (!armed)
    return (
      <IconButton
        label={label}
        icon="trash"
        aria-busy={busy || undefined}
        disabledReason={busy ? 'It is being deleted.' : null}
        onClick={press}
      />
    );
  return (
    <Button
      ref={button}
      size="sm"
      variant="danger"
      icon="trash"
      onClick={press}
      onBlur={() => arm(false)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        arm(false);
      }}
    >
      {messages.clickAgain}
    </Button>
  );
}
