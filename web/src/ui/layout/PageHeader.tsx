import type { ReactNode } from 'react';
import styles from './PageHeader.module.css';

export interface PageHeaderProps {
  /** The title of the tab, and the page's name in the breadcrumb. */
  title: string;
  /** The heading, if it says more than the title. */
  heading?: string;
  /** The status of the shown thing, in a box. */
  status?: ReactNode;
  /** One sentence on the page. */
  sub?: ReactNode;
  /** The facts under the title. Each child is one fact. */
  meta?: ReactNode;
  /** Secondary actions first, the primary one last. */
  actions?: ReactNode;
  /** The trail above the title, without the page itself. */
  crumbs?: ReactNode;
}

/** The start of every page. Its `h1` takes the focus when the route changes. */
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
