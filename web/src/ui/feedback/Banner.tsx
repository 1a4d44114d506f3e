import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import layout from '../layout/layout.module.css';
import { Icon } from '../picture/Icon.tsx';
import bannerStyles from './banner.module.css';
import { type Tone, toneIcons } from './tones.ts';
import { useFocusAfter } from './use-focus-after.ts';

const toneClass: Record<Tone, string | undefined> = {
  ok: bannerStyles.success,
  info: undefined,
  warn: bannerStyles.warning,
  bad: bannerStyles.danger,
};

export interface BannerProps {
  tone?: Tone;
  /** Links and `LinkButton`s inside the sentence are its actions. */
  children: ReactNode;
  /** A button at the right. */
  action?: ReactNode;
}

/** A message that stays until its cause is gone. */
export function Banner({ tone = 'info', children, action }: BannerProps) {
  const box = useFocusAfter<HTMLDivElement>();
  return (
    <div
      ref={box}
      className={classNames(bannerStyles.banner, toneClass[tone])}
      role={tone === 'bad' ? 'alert' : 'status'}
    >
      <Icon name={toneIcons[tone]} />
      <div className={classNames(layout.grow, bannerStyles.message)}>{children}</div>
      {action && <div className={bannerStyles.action}>{action}</div>}
    </div>
  );
}

export interface LinkButtonProps {
  onClick: () => void;
  /** The person reaches for the button: the time to load what it opens. */
  onReach?: () => void;
  children: ReactNode;
}

/** A button that reads as part of a sentence. */
export function LinkButton({ onClick, onReach, children }: LinkButtonProps) {
  return (
    <button
      type="button"
      className={bannerStyles.linkButton}
      onClick={onClick}
      onPointerEnter={onReach}
      onFocus={onReach}
    >
      {children}
    </button>
  );
}
