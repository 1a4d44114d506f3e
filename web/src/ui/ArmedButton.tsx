import { messages } from '@homeport/contract/messages';
import { useEffect, useRef, useState } from 'react';
import { buttonClass } from './Button.tsx';
import { Icon, type IconName } from './Icon.tsx';
import { toast } from './toasts.ts';

const disarmsAfterMs = 6_000;
const secondPressAfterMs = 400;

export interface ArmedButtonProps {
  /** "Delete mail" */
  label: string;
  /** What is about to go, for the toast: "mail.northquay.example". */
  subject: string;
  icon?: IconName;
  onConfirm: () => void;
  /** Lets the row tint itself while armed. */
  onArmedChange?: (armed: boolean) => void;
}

/** Deletes on the second press only; disarms on blur, on Escape and by itself. */
export function ArmedButton({ label, subject, icon = 'trash', onConfirm, onArmedChange }: ArmedButtonProps) {
  const [armedAt, setArmedAt] = useState<number | null>(null);
  const changed = useRef(onArmedChange);
  changed.current = onArmedChange;

  useEffect(() => {
    changed.current?.(armedAt !== null);
    if (armedAt === null) return;
    const timer = setTimeout(() => setArmedAt(null), disarmsAfterMs);
    return () => clearTimeout(timer);
  }, [armedAt]);

  const press = () => {
    if (armedAt === null) {
      setArmedAt(performance.now());
      toast.info(`${subject}: ${messages.clickAgain}`);
      return;
    }
    if (performance.now() - armedAt < secondPressAfterMs) return;
    setArmedAt(null);
    onConfirm();
  };

  const armed = armedAt !== null;
  return (
    <button
      type="button"
      className={buttonClass({ variant: armed ? 'armed' : 'ghost', size: 'sm' }, armed ? undefined : 'icon')}
      aria-label={armed ? undefined : label}
      title={armed ? undefined : label}
      onClick={press}
      onBlur={() => setArmedAt(null)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setArmedAt(null);
      }}
    >
      {armed ? messages.clickAgain : <Icon name={icon} size={16} />}
    </button>
  );
}
