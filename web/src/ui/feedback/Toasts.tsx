import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Button, IconButton } from '../button/Button.tsx';
import { classNames } from '../class-names.ts';
import { Icon } from '../picture/Icon.tsx';
import typography from '../text/typography.module.css';
import styles from './Toasts.module.css';
import { dismissToast, shownOf, type Toast, toastStore } from './toasts.ts';
import { type Tone, toneIcons } from './tones.ts';

const tickMs = 100;

const toneClass: Record<Tone, string | undefined> = {
  ok: styles.success,
  info: undefined,
  warn: styles.warning,
  bad: styles.danger,
};

/**
 * The stack of toasts at the bottom right. F6 moves the focus there. Hover, focus and a hidden tab stop every
 * countdown.
 */
export function Toasts() {
  const all = useSyncExternalStore(toastStore.subscribe, toastStore.all, toastStore.all);
  const [held, setHeld] = useState(false);
  const stack = useRef<HTMLElement>(null);

  useEffect(() => {
    const toStack = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || !stack.current?.firstElementChild) return;
      event.preventDefault();
      stack.current.focus();
    };
    document.addEventListener('keydown', toStack);
    return () => document.removeEventListener('keydown', toStack);
  }, []);

  const shown = shownOf(all);
  const isEmpty = shown.length === 0;
  useEffect(() => raise(stack.current, !isEmpty), [isEmpty]);
  return (
    <section
      ref={stack}
      popover="manual"
      className={styles.toasts}
      // Stands beside the page: a message that goes gives its focus back to the page.
      data-floats=""
      aria-label="Messages"
      // A dialog makes the page behind it inert. An element with aria-live stays readable even then.
      aria-live="off"
      tabIndex={-1}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onKeyDown={(event) => {
        const newest = shown.at(-1);
        if (event.key !== 'Escape' || !newest) return;
        event.stopPropagation();
        dismissToast(newest.id);
      }}
    >
      {shown.map((item) => (
        <ToastCard key={item.id} item={item} held={held} />
      ))}
    </section>
  );
}

/**
 * Shows the messages above every dialog, whose shade would dim them: as a popover they leave the page's stacking context. A browser
 * without popovers shows them in the page.
 */
function raise(stack: HTMLElement | null, isShown: boolean): void {
  if (!stack || !('popover' in stack) || stack.matches(':popover-open') === isShown) return;
  if (isShown) stack.showPopover();
  else stack.hidePopover();
}

function ToastCard({ item, held }: { item: Toast; held: boolean }) {
  const left = useClock(item.lifeMs, held, () => dismissToast(item.id));
  const urgent = item.tone === 'warn' || item.tone === 'bad';
  const { action } = item;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the element has a role, and the click is a shortcut
    // biome-ignore lint/a11y/useKeyWithClickEvents: a pointer shortcut; the toast's buttons take the keys
    <div
      className={classNames(styles.toast, toneClass[item.tone])}
      role={urgent ? 'alert' : 'status'}
      onClick={item.onDone ? () => dismissToast(item.id) : undefined}
    >
      <Icon name={toneIcons[item.tone]} />
      <div>
        <p>{item.text}</p>
        {item.detail && <p className={classNames(typography.extraSmall, typography.subtle)}>{item.detail}</p>}
      </div>
      {action && (
        <Button
          size="sm"
          onClick={() => {
            action.run();
            dismissToast(item.id);
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label="Dismiss" icon="x" onClick={() => dismissToast(item.id)} />
      {left !== null && <i className={styles.timeLeft} style={{ width: `${left * 100}%` }} />}
    </div>
  );
}

/** Counts down a toast's life and returns the remaining share. null for a toast that stays. */
function useClock(lifeMs: number | null, held: boolean, end: () => void): number | null {
  const [spent, setSpent] = useState(0);
  const atEnd = useRef(end);
  atEnd.current = end;
  useEffect(() => {
    if (lifeMs === null || held) return;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const passed = document.hidden ? 0 : now - last;
      last = now;
      setSpent((before) => before + passed);
    }, tickMs);
    return () => clearInterval(timer);
  }, [lifeMs, held]);
  const over = lifeMs !== null && spent >= lifeMs;
  useEffect(() => {
    if (over) atEnd.current();
  }, [over]);
  return lifeMs === null ? null : Math.max(0, 1 - spent / lifeMs);
}
