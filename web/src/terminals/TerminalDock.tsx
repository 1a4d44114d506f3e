import { type RefObject, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button, IconButton } from '../ui/button/Button.tsx';
import { layers } from '../ui/layers.ts';
import { KeyRow } from './KeyRow.tsx';
import { SearchField } from './SearchField.tsx';
import { SessionOver } from './SessionOver.tsx';
import { TerminalFacts } from './TerminalFacts.tsx';
import { copySelection, withCtrl } from './terminal-keys.ts';
import { placeTexts, type TerminalPlace } from './terminal-place.ts';
import styles from './terminals.module.css';
import { useTerminal } from './use-terminal.ts';

interface TerminalDockProps {
  at: TerminalPlace;
  /** What opened the terminal. It has the focus again when the person closes it. */
  opener: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** A terminal over the lower part of the page. It ends when it is closed or the page goes. */
export function TerminalDock({ at, opener, onClose }: TerminalDockProps) {
  const [searches, setSearches] = useState(false);
  const [reads, setReads] = useState(false);
  const [ctrl, setCtrl] = useState(false);
  const { place, screen, session, view, press, again } = useTerminal(at, opener, (text) => {
    if (ctrl) setCtrl(false);
    return ctrl ? withCtrl(text) : text;
  });
  const isOver = view.phase === 'over';
  const { name, title, where } = placeTexts(at);
  return createPortal(
    <section className={styles.dock} aria-label={`Terminal of ${name}`}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        <TerminalFacts view={view} where={where} onExtend={() => session.current?.extend()} />
        <span className={styles.acts}>
          <IconButton
            icon="search"
            label="Search in the terminal"
            aria-pressed={searches}
            onClick={() => setSearches(!searches)}
          />
          <IconButton
            icon="copy"
            label="Copy the selection"
            onClick={() => screen.current && copySelection(screen.current.terminal)}
          />
          <IconButton
            icon="screen"
            label="Screen reader mode"
            aria-pressed={reads}
            onClick={() => {
              if (screen.current) screen.current.terminal.options.screenReaderMode = !reads;
              setReads(!reads);
            }}
          />
          <Button
            size="sm"
            onClick={() => {
              onClose();
              opener.current?.focus();
            }}
          >
            {isOver ? 'Close' : 'End session'}
          </Button>
        </span>
      </div>
      {searches && <SearchField screen={screen} />}
      <div className={styles.place} ref={place} />
      <SessionOver why={isOver ? view.why : null} onAgain={again} />
      <KeyRow
        ctrl={ctrl}
        onCtrl={() => {
          setCtrl(!ctrl);
          screen.current?.terminal.focus();
        }}
        onPress={press}
      />
      <div className={styles.foot}>
        <span>
          <kbd>Ctrl</kbd> <kbd>Shift</kbd> <kbd>C</kbd> copies
        </span>
        <span>
          <kbd>Ctrl</kbd> <kbd>M</kbd> lets Tab leave the terminal
        </span>
      </div>
    </section>,
    layers(),
  );
}
