import styles from './KeyRow.module.css';

const keys = [
  ['Esc', '\x1b', 'Esc'],
  ['Tab', '\t', 'Tab'],
  ['↑', '\x1b[A', 'Up'],
  ['↓', '\x1b[B', 'Down'],
  ['←', '\x1b[D', 'Left'],
  ['→', '\x1b[C', 'Right'],
] as const;

interface KeyRowProps {
  /** Ctrl stays pressed for one key. */
  ctrl: boolean;
  onCtrl: () => void;
  onPress: (keys: string) => void;
}

/** The keys that a phone's keyboard lacks. */
export function KeyRow({ ctrl, onCtrl, onPress }: KeyRowProps) {
  const [esc, tab, ...arrows] = keys.map(([shown, sends, name]) => (
    <button key={name} type="button" aria-label={name} onClick={() => onPress(sends)}>
      {shown}
    </button>
  ));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's part
    <div className={styles.keys} role="group" aria-label="Keys">
      {esc}
      {tab}
      <button type="button" aria-pressed={ctrl} onClick={onCtrl}>
        Ctrl
      </button>
      {arrows}
    </div>
  );
}
