import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import type { ToastTone } from './toasts.ts';

const icons: Record<ToastTone, IconName> = { ok: 'success', info: 'info', warn: 'warning', bad: 'danger' };

export interface BannerProps {
  tone?: ToastTone;
  /** Links and `LinkButton`s inside the sentence are its actions. */
  children: ReactNode;
  /** At the right: a button. */
  action?: ReactNode;
}

/** Stays until its cause is gone. */
export function Banner({ tone = 'info', children, action }: BannerProps) {
  return (
    <div className={`banner ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={icons[tone]} />
      <div className="grow">{children}</div>
      {action}
    </div>
  );
}

/** An act that reads as part of a sentence. */
export function LinkButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className="link" onClick={onClick}>
      {children}
    </button>
  );
}
