import { useState } from 'react';
import { classNames } from '../class-names.ts';
import layout from '../layout/layout.module.css';
import { Icon } from '../picture/Icon.tsx';
import typography from '../text/typography.module.css';
import { IconButton } from './Button.tsx';
import styles from './CodeLine.module.css';
import { useCopy } from './use-copy.ts';
import { isWebAddress } from './web-address.ts';

export interface CopyButtonProps {
  text: string;
  /** What is copied: "IP address", "fingerprint". */
  what: string;
}

/** Confirms in place: "Copied", 2 s, politely. */
export function CopyButton({ text, what }: CopyButtonProps) {
  const { state, copy } = useCopy();
  return (
    <>
      <IconButton
        label={`Copy ${what}`}
        icon={state === 'copied' ? 'check' : 'copy'}
        onClick={() => copy(text)}
      />
      <span role="status" className={state === 'idle' ? layout.visuallyHidden : styles.copied}>
        {state === 'copied' ? 'Copied' : state === 'failed' ? 'Select the text to copy it' : ''}
      </span>
    </>
  );
}

export interface CodeLineProps {
  /** The full text; copied whole even where it is masked or cut. */
  text: string;
  /** What it is, for the copy button: "command". */
  what: string;
  /** Shows dots until it is revealed. */
  masked?: boolean;
  /** Breaks long values over lines instead of cutting them. */
  wrap?: boolean;
}

/** A command, a key, a fingerprint: mono, ligatures off, copyable. */
export function CodeLine({ text, what, masked = false, wrap = false }: CodeLineProps) {
  const [revealed, setRevealed] = useState(!masked);
  return (
    <div className={wrap ? classNames(styles.line, styles.wrapped) : styles.line}>
      <code className={wrap ? undefined : typography.truncated}>{revealed ? text : '••••••••••••'}</code>
      <span className={classNames(layout.row, layout.atEnd)}>
        {masked && (
          <IconButton
            label={revealed ? `Hide ${what}` : `Show ${what}`}
            icon={revealed ? 'eyeoff' : 'eye'}
            aria-pressed={revealed}
            onClick={() => setRevealed(!revealed)}
          />
        )}
        <CopyButton text={text} what={what} />
      </span>
    </div>
  );
}

/** A short value in running text: an IP address with its copy button. */
export function CopyValue({ text, what }: CopyButtonProps) {
  return (
    <span className={classNames(layout.row, styles.value)}>
      <span className={typography.monospace}>{text}</span>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** Opens a new tab and says so; an address that is no web page is text. */
export function ExternalLink({ href, children }: { href: string; children: string }) {
  if (!isWebAddress(href)) return children;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
      <Icon name="external" size={14} className={styles.externalIcon} />
      <span className={layout.visuallyHidden}> (opens a new tab)</span>
    </a>
  );
}
