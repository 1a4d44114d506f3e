import { type ReactNode, useState } from 'react';
import { classNames } from '../class-names.ts';
import layout from '../layout/layout.module.css';
import { Icon } from '../picture/Icon.tsx';
import typography from '../text/typography.module.css';
import { IconButton } from './Button.tsx';
import styles from './CodeLine.module.css';
import { useCopy } from './use-copy.ts';
import { isWebAddress } from './web-address.ts';

export interface CopyButtonProps {
  /** The copied text, or what reads it at the click. */
  text: string | (() => Promise<string>);
  /** The name of the copied value: "address", "fingerprint". */
  what: string;
}

/** Confirms in place: says "Copied" politely for 2 s. */
export function CopyButton({ text, what }: CopyButtonProps) {
  const { state, copy } = useCopy();
  return (
    <>
      <IconButton
        label={`Copy ${what}`}
        icon={state === 'copied' ? 'check' : 'copy'}
        onClick={() => copy(typeof text === 'string' ? text : text())}
      />
      <span role="status" className={state === 'idle' ? layout.visuallyHidden : styles.copied}>
        {state === 'copied' ? 'Copied' : state === 'failed' ? 'Select the text to copy it' : ''}
      </span>
    </>
  );
}

export interface CodeLineProps {
  /** The full text. The copy is complete even if the display is masked or cut. */
  text: string;
  /** The name of the text for the copy button: "command". */
  what: string;
  /** Shows dots until the user reveals the text. */
  masked?: boolean;
  /** Wraps long values instead of cutting them. */
  wrap?: boolean;
}

/** A command, a key or a fingerprint: monospace without ligatures, with a copy button. */
export function CodeLine({ text, what, masked = false, wrap = false }: CodeLineProps) {
  const [revealed, setRevealed] = useState(!masked);
  return (
    <CodeFrame
      wrap={wrap}
      actions={
        <>
          {masked && (
            <IconButton
              label={revealed ? `Hide ${what}` : `Show ${what}`}
              icon={revealed ? 'eyeoff' : 'eye'}
              aria-pressed={revealed}
              onClick={() => setRevealed(!revealed)}
            />
          )}
          <CopyButton text={text} what={what} />
        </>
      }
    >
      {revealed ? text : '••••••••••••'}
    </CodeFrame>
  );
}

export interface CodeFrameProps {
  /** The shown text. */
  children: ReactNode;
  /** The buttons at the end. */
  actions: ReactNode;
  wrap?: boolean;
  busy?: boolean;
}

/** The box of a line of code. */
export function CodeFrame({ children, actions, wrap = false, busy = false }: CodeFrameProps) {
  return (
    <div
      className={wrap ? classNames(styles.line, styles.wrapped) : styles.line}
      aria-busy={busy || undefined}
    >
      <code className={wrap ? undefined : typography.truncated}>{children}</code>
      <span className={classNames(layout.row, layout.atEnd)}>{actions}</span>
    </div>
  );
}

/** A short value in running text: an address with its copy button. A long name wraps, and is copied whole. */
export function CopyValue({ text, what }: { text: string; what: string }) {
  return (
    <span className={classNames(layout.row, styles.value)}>
      <span className={classNames(typography.monospace, typography.longWords)}>{text}</span>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** Opens a new tab and says so. An address that is not a web page becomes plain text. */
export function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  if (!isWebAddress(href)) return children;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <Icon name="external" size={14} className={styles.externalIcon} />
      <span className={layout.visuallyHidden}> (opens a new tab)</span>
    </a>
  );
}
