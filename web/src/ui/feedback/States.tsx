import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../button/Button.tsx';
import { classNames } from '../class-names.ts';
import layout from '../layout/layout.module.css';
import panelStyles from '../layout/panel.module.css';
import { EmptySpot } from '../picture/EmptySpot.tsx';
import { Icon } from '../picture/Icon.tsx';
import typography from '../text/typography.module.css';
import emptyStyles from './empty.module.css';
import skeletonStyles from './skeleton.module.css';
import { useFocusAfter } from './use-focus-after.ts';

export interface EmptyProps {
  /** "No proxies yet" */
  title: string;
  /** One sentence on the purpose of the things. */
  children: ReactNode;
  /** One button. */
  action?: ReactNode;
  level?: 2 | 3;
}

export function Empty({ title, children, action, level = 2 }: EmptyProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={emptyStyles.empty}>
      <EmptySpot />
      <Heading>{title}</Heading>
      <p>{children}</p>
      {action && <div className={emptyStyles.actions}>{action}</div>}
    </div>
  );
}

/** One quiet line in place of the rows of an empty list in a panel. Alone in its panel, it stands beside the title. */
export function NothingYet({ children }: { children: ReactNode }) {
  return (
    <p className={panelStyles.nothing} data-nothing>
      {children}
    </p>
  );
}

/** Shown when a filter leaves no rows. It has no drawing and one way back. */
export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <div className={emptyStyles.empty} role="status">
      <h2>Nothing matches</h2>
      <div className={emptyStyles.actions}>
        <Button onClick={onClear}>Clear filter</Button>
      </div>
    </div>
  );
}

export interface FailedProps {
  /** "Records could not be loaded" */
  title: string;
  /** Says what was not changed, or what to do. */
  children?: ReactNode;
  onRetry?: () => void;
  level?: 2 | 3;
}

/** Stands in the region that failed, and nowhere else. */
export function Failed({ title, children, onRetry, level = 3 }: FailedProps) {
  const Heading = `h${level}` as const;
  const box = useFocusAfter<HTMLDivElement>();
  return (
    <div ref={box} className={classNames(emptyStyles.empty, emptyStyles.failed)} role="alert">
      <Icon name="danger" size={24} className={typography.danger} />
      <Heading>{title}</Heading>
      {children && <p>{children}</p>}
      {onRetry && (
        <div className={emptyStyles.actions}>
          <Button icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}

const skeletonAfterMs = 150;
const widths = ['52%', '38%', '46%'];

/**
 * Placeholders for the rows of a table or list. They appear after 150 ms and are hidden from assistive
 * technology. One row is as high as one sentence, so a section that has only that to say does not move the page.
 */
export function SkeletonRows({ rows = 3 }: { rows?: number }) {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), skeletonAfterMs);
    return () => clearTimeout(timer);
  }, []);
  if (rows === 1)
    return (
      <p
        className={classNames(panelStyles.nothing, skeletonStyles.line)}
        aria-hidden="true"
        data-due={due || undefined}
        data-nothing
      >
        <span className={skeletonStyles.skeleton} style={{ width: widths[0] }} />
      </p>
    );
  return (
    <div className={skeletonStyles.rows} aria-hidden="true" data-due={due || undefined}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <div className={classNames(layout.row, layout.gap4)} key={row}>
          <span className={classNames(skeletonStyles.skeleton, skeletonStyles.dot)} />
          <span className={classNames(skeletonStyles.skeleton, skeletonStyles.short)} />
          <span className={skeletonStyles.skeleton} style={{ width: widths[row % widths.length] }} />
          <span className={classNames(skeletonStyles.skeleton, layout.atEnd, skeletonStyles.tail)} />
        </div>
      ))}
    </div>
  );
}

/** A placeholder for one block of the layout. */
export function Skeleton({ width = '100%', height = '.75rem' }: { width?: string; height?: string }) {
  return <span className={skeletonStyles.skeleton} aria-hidden="true" style={{ width, height }} />;
}
