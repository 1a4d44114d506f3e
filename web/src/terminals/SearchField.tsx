import { type RefObject, useEffect, useState } from 'react';
import { TextField } from '../ui/form/Field.tsx';
import type { Screen } from './screen.ts';
import styles from './terminals.module.css';

/** Finds text in what the terminal still shows: Enter finds the next place above, Shift Enter the next below. */
export function SearchField({ screen }: { screen: RefObject<Screen | null> }) {
  const [text, setText] = useState('');
  const [found, setFound] = useState({ resultIndex: -1, resultCount: 0 });
  useEffect(() => {
    const search = screen.current?.search;
    const listening = search?.onDidChangeResults(setFound);
    return () => {
      listening?.dispose();
      search?.clearDecorations();
    };
  }, [screen]);
  const find = (way: 'findNext' | 'findPrevious', what: string, incremental: boolean) => {
    if (!screen.current) return;
    const { search, marks } = screen.current;
    search[way](what, { incremental, decorations: marks });
  };
  return (
    <div className={styles.search}>
      <TextField
        autoFocus
        label="Find in the terminal"
        help={text === '' ? 'Enter finds the place above, Shift Enter the one below' : foundText(found)}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          find('findPrevious', value, true);
        }}
        onKeyDown={({ key, shiftKey }) => {
          if (key !== 'Enter') return;
          find(shiftKey ? 'findNext' : 'findPrevious', text, false);
        }}
      />
    </div>
  );
}

const foundText = ({ resultIndex, resultCount }: { resultIndex: number; resultCount: number }) =>
  resultCount === 0 ? 'Not found' : `${resultIndex + 1} of ${resultCount}`;
