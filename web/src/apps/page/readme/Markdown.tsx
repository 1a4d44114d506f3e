import { useLayoutEffect, useRef } from 'react';
import styles from './Markdown.module.css';
import { sanitiseMarkdown } from './sanitise-markdown.ts';

/** Put in as elements: the page's policy lets nobody set HTML as text but the sanitiser. */
export function Markdown({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.replaceChildren(sanitiseMarkdown(text)), [text]);
  return <div ref={box} className={styles.readme} />;
}
