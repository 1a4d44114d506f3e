import { clickAgain } from '@homeport/contract/limits';
import { messages } from '@homeport/contract/messages';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button, IconButton } from '../button/Button.tsx';
import { dismissToast, toast } from '../feedback/toasts.ts';
import styles from './ClickAgainButton.module.css';

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
  const icon = useRef<HTMLButtonElement>(null);
  const question = useRef<HTMLButtonElement>(null);
  const message = useRef<number | null>(null);
  const arm = (next: boolean) => {
    setArmed(next);
    onArm?.(next);
    if (next || message.current === null) return;
    // The message asks for a second click. Without the question that click would be the first one.
    dismissToast(message.current);
    message.current = null;
  };
  const withdraw = () => {
    const hadFocus = document.activeElement === question.current;
    flushSync(() => arm(false));
    // The question goes, and takes its focus along. A keyboard goes on where it was.
    if (hadFocus) icon.current?.focus();
  };
  const latest = useRef(withdraw);
  latest.current = withdraw;

  useEffect(() => {
    if (!armed) return;
    // The question lies over the button that was pressed.
    question.current?.focus();
    const timer = setTimeout(() => latest.current(), clickAgain.withinMs);
    return () => clearTimeout(timer);
  }, [armed]);

  const press = () => {
    if (!armed) {
      armedAt.current = performance.now();
      arm(true);
      message.current = toast.info(messages.clickAgain, {
        detail: what,
        atOnce: true,
        durationMs: clickAgain.withinMs,
      });
    } else if (performance.now() - armedAt.current >= clickAgain.apartMs) {
      withdraw();
      onConfirm();
    }
  };
  return (
    <span className={styles.place}>
      <IconButton
        ref={icon}
        label={label}
        icon="trash"
        className={armed ? styles.covered : undefined}
        aria-busy={busy || undefined}
        disabledReason={busy ? 'It is being deleted.' : null}
        onClick={press}
      />
      {armed && (
        <Button
          ref={question}
          size="sm"
          variant="danger"
          icon="trash"
          className={styles.armed}
          onClick={press}
          onBlur={() => arm(false)}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            withdraw();
          }}
        >
          {messages.clickAgain}
        </Button>
      )}
    </span>
  );
}
