import type { ReactNode } from 'react';
import styles from './PageHeader.module.css';

export interface PageHeaderProps {
  /** Names the tab, and the page in the breadcrumb. */
  title: string;
  /** The heading, where it says more than the tab. */
  heading?: string;
  /** The boxed status of the thing. */
  status?: ReactNode;
  /** One sentence on the page. */
  sub?: ReactNode;
  /** The line of facts under the title; each child is one fact. */
  meta?: ReactNode;
  /** Secondary actions first, the primary one last. */
  actions?: ReactNode;
  /** Trail above the title, without the page itself. */
  crumbs?: ReactNode;
}

/** Every page starts with this: the `h1` takes focus when the route changes. */
export function PageHeader({ title, heading, status, sub, meta, actions, crumbs }: PageHeaderProps) {
  return (
    <>
      {crumbs && (
        <nav className={styles.crumbs} aria-label="Breadcrumb">
          {crumbs}
          <span aria-hidden="true">›</span>
          <span aria-current="page">{title}</span>
        </nav>
      )}
      <div className={styles.header}>
        <div>
          <h1 tabIndex={-1}>
            {heading ?? title}
            {status}
          </h1>
          {sub && <p className={styles.summary}>{sub}</p>}
          {meta && <div className={styles.facts}>{meta}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </>
  );
}
