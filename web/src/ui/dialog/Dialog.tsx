import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { Button, IconButton } from '../button/Button.tsx';
import { classNames } from '../class-names.ts';
import { heirOnPage } from '../keep-focus.ts';
import { layers } from '../layers.ts';
import layout from '../layout/layout.module.css';
import dialogStyles from './dialog.module.css';
import { useUnloadQuestion } from './use-unload-question.ts';

export interface DialogProps {
  open: boolean;
  /** Called when Escape, the scrim or the close button asks to close. */
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  /** Replaces the close button at the right of the head: a badge or a figure. */
  headEnd?: ReactNode;
  footer?: ReactNode;
  size?: 'slim' | 'default' | 'wide' | 'install';
  /** The user cannot close the dialog: Escape and the scrim only nudge it. */
  locked?: boolean;
  /** The dialog holds typed input, so closing asks first. */
  dirty?: boolean;
  /** The message is urgent: uses the role `alertdialog`. */
  alert?: boolean;
  /**
   * The element that takes the first focus. By default the first field, otherwise the footer's first button,
   * which is the safe one.
   */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Removes the padding around the body: logs, lists. */
  flush?: boolean;
  className?: string | undefined;
  children?: ReactNode;
}

const sizeClass: Record<NonNullable<DialogProps['size']>, string | undefined> = {
  slim: dialogStyles.slim,
  default: undefined,
  wide: dialogStyles.wide,
  install: dialogStyles.install,
};

/**
 * Focus moves into the dialog, stays there and returns to the opener, or to what took its place. On phones the dialog is a sheet at the
 * bottom. Ctrl Enter sends its form.
 */
export function Dialog({
  open,
  onClose,
  title,
  description,
  headEnd,
  footer,
  size = 'default',
  locked = false,
  dirty = false,
  alert = false,
  initialFocus,
  flush = false,
  className,
  children,
}: DialogProps) {
  const [asking, setAsking] = useState(false);
  const [nudged, setNudged] = useState(0);
  const popup = useRef<HTMLDivElement>(null);
  useUnloadQuestion(open && dirty);
  const askToClose = () => (dirty ? setAsking(true) : onClose());

  return (
    <>
      <Base.Root
        open={open}
        disablePointerDismissal={alert}
        onOpenChange={(next) => {
          if (next) return;
          if (locked) setNudged((count) => count + 1);
          else askToClose();
        }}
      >
        <Base.Portal container={layers()}>
          <Base.Backdrop className={classNames(dialogStyles.scrim, dialogStyles.backdrop)} />
          <Base.Viewport className={dialogStyles.scrim}>
            <Base.Popup
              ref={popup}
              role={alert ? 'alertdialog' : 'dialog'}
              className={classNames(dialogStyles.dialog, sizeClass[size], className)}
              data-nudge={nudged === 0 ? undefined : nudged % 2}
              initialFocus={initialFocus ?? (() => firstFocus(popup.current))}
              finalFocus={lastFocus}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
                popup.current?.querySelector('form')?.requestSubmit();
              }}
            >
              <div className={dialogStyles.head}>
                <div className={layout.grow}>
                  <Base.Title>{title}</Base.Title>
                  {description && <Base.Description>{description}</Base.Description>}
                </div>
                {headEnd}
                {!locked && !headEnd && <IconButton label="Close" icon="x" onClick={askToClose} />}
              </div>
              {flush ? children : <div className={dialogStyles.body}>{children}</div>}
              {footer && <div className={dialogStyles.foot}>{footer}</div>}
            </Base.Popup>
          </Base.Viewport>
        </Base.Portal>
      </Base.Root>
      {asking && (
        <Dialog
          open
          alert
          size="slim"
          title="Discard your changes?"
          description="What you typed is not saved."
          onClose={() => setAsking(false)}
          footer={
            <>
              <Button className={layout.atEnd} onClick={() => setAsking(false)}>
                Keep editing
              </Button>
              <Button
                variant="danger"
                onClick={() => {
                  setAsking(false);
                  onClose();
                }}
              >
                Discard
              </Button>
            </>
          }
        />
      )}
    </>
  );
}

/** Where the focus goes when a dialog closes. true: to the opener. false: the next page has chosen already. */
function lastFocus(): HTMLElement | boolean {
  const focused = document.activeElement;
  if (focused !== document.body && !layers().contains(focused)) return false;
  // Of two dialogs, the focus stays in the one below.
  return (layers().querySelectorAll('[role$="dialog"]').length < 2 && heirOnPage()) || true;
}

/** Skips the close button, which comes first in the page. true leaves the choice to the library. */
function firstFocus(popup: HTMLElement | null): HTMLElement | true {
  const fields = 'input:not([type="hidden"]), select, textarea';
  const enabled = (selector: string) => popup?.querySelector<HTMLElement>(selector);
  return (
    enabled(`.${dialogStyles.body} :is(${fields}):not(:disabled)`) ??
    enabled(`.${dialogStyles.foot} :is(button, a):not(:disabled)`) ??
    enabled(`.${dialogStyles.body} :is(button, a[href]):not(:disabled)`) ??
    true
  );
}
