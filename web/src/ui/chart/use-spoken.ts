import { useEffect, useRef, useState } from 'react';

const everyMs = 300;

/** Announces text politely, at most every 300 ms. Of several texts in that time only the last is spoken. */
export function useSpoken(): { spoken: string; speak: (text: string) => void } {
  const [spoken, setSpoken] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const waiting = useRef('');
  useEffect(() => () => clearTimeout(timer.current), []);
  const speak = (text: string) => {
    waiting.current = text;
    if (timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      setSpoken(waiting.current);
    }, everyMs);
  };
  return { spoken, speak };
}
