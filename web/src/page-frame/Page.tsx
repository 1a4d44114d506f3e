import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { PageHeader, type PageHeaderProps } from '../ui/layout/PageHeader.tsx';
import styles from './Page.module.css';
import { usePageTitle } from './use-page-title.ts';

export interface PageProps extends PageHeaderProps {
  children?: ReactNode;
  /** `form` limits the width to 48 rem, for forms and settings. */
  width?: 'full' | 'form';
}

let firstPage = true;

/**
 * After a change of page, moves the focus to the title inside `box`. The first page keeps the browser's own
 * focus.
 */
export function useTitleFocus(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!firstPage) box.current?.querySelector('h1')?.focus({ preventScroll: true });
    firstPage = false;
  }, [box]);
}

/** One page inside the frame: its header and its content. */
export function Page({ children, width = 'full', ...header }: PageProps) {
  const box = useRef<HTMLDivElement>(null);
  usePageTitle(header.title);
  useTitleFocus(box);
  return (
    <div ref={box} className={width === 'form' ? styles.form : undefined}>
      <PageHeader {...header} />
      {children}
    </div>
  );
}
