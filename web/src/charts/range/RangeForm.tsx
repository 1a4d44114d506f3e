import { useState } from 'react';
import { Button } from '../../ui/button/Button.tsx';
import { TextField } from '../../ui/form/Field.tsx';
import styles from '../charts.module.css';
import { fieldText, readTyped, type ShownRange } from './range.ts';

/** Two moments, typed. */
export function RangeForm({
  from,
  to,
  onShow,
}: {
  from: number;
  to: number;
  onShow: (range: ShownRange) => void;
}) {
  const [typed, setTyped] = useState({ from: fieldText(from), to: fieldText(to) });
  const [wrong, setWrong] = useState<string | null>(null);
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const read = readTyped(typed.from, typed.to);
        if ('wrong' in read) return setWrong(read.wrong);
        setWrong(null);
        onShow(read.range);
      }}
    >
      <TextField
        label="From"
        type="datetime-local"
        value={typed.from}
        onChange={(event) => setTyped({ ...typed, from: event.currentTarget.value })}
      />
      <TextField
        label="To"
        type="datetime-local"
        value={typed.to}
        error={wrong}
        onChange={(event) => setTyped({ ...typed, to: event.currentTarget.value })}
      />
      <Button type="submit">Show</Button>
    </form>
  );
}
