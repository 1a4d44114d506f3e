import { useLayoutEffect, useRef } from 'react';
import styles from './Markdown.module.css';
import { sanitiseMarkdown } from './sanitise-markdown.ts';

/** Appends elements instead of HTML text: the page's policy lets only the sanitiser set HTML. */
export function Markdown({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.replaceChildren(sanitiseMarkdown(text)), [text]);
  return <div ref={box} className={styles.readme} />;
}
