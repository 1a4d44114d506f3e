import { type ReactNode, useEffect, useState } from 'react';
import { Button } from './Button.tsx';
import { EmptySpot } from './ChartPaper.tsx';
import { Icon } from './Icon.tsx';

export interface EmptyProps {
  /** "No proxies yet" */
  title: string;
  /** One sentence on what it is for. */
  children: ReactNode;
  /** One button. */
  action?: ReactNode;
  level?: 2 | 3;
}

export function Empty({ title, children, action, level = 2 }: EmptyProps) {
  const Heading = `h${level}` as const;
  return (
    <div className="empty">
      <EmptySpot />
      <Heading>{title}</Heading>
      <p>{children}</p>
      {action && <div className="acts">{action}</div>}
    </div>
  );
}

/** One quiet line where a list inside a panel has no rows. */
export function NothingYet({ children }: { children: ReactNode }) {
  return <p className="nothing">{children}</p>;
}

/** A filter left nothing: no drawing, one way back. */
export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <div className="empty" role="status">
      <h2>Nothing matches</h2>
      <div className="acts">
        <Button onClick={onClear}>Clear filter</Button>
      </div>
    </div>
  );
}

export interface FailedProps {
  /** "Records could not be loaded" */
  title: string;
  /** What was not changed, or what to do. */
  children?: ReactNode;
  onRetry?: () => void;
  level?: 2 | 3;
}

/** In the failing region only. */
export function Failed({ title, children, onRetry, level = 3 }: FailedProps) {
  const Heading = `h${level}` as const;
  return (
    <div className="empty failed" role="alert">
      <Icon name="danger" size={24} className="danger" />
      <Heading>{title}</Heading>
      {children && <p>{children}</p>}
      {onRetry && (
        <div className="acts">
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

/** Rows of the coming table or list; shown after 150 ms, hidden from assistive technology. */
export function SkeletonRows({ rows = 3 }: { rows?: number }) {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), skeletonAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="skelrows" aria-hidden="true" data-due={due || undefined}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <div className="row g4" key={row}>
          <span className="skel dot" />
          <span className="skel short" />
          <span className="skel" style={{ width: widths[row % widths.length] }} />
          <span className="skel end tail" />
        </div>
      ))}
    </div>
  );
}

/** One block of the coming layout. */
export function Skeleton({ width = '100%', height = '.75rem' }: { width?: string; height?: string }) {
  return <span className="skel" aria-hidden="true" style={{ width, height }} />;
}
