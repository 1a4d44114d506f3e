import { type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';
import panelStyles from './panel.module.css';

export interface PanelProps {
  title?: ReactNode;
  /** The heading level that fits the page. */
  level?: 2 | 3;
  /** Beside the title: a badge, a count. */
  aside?: ReactNode;
  /** At the right of the head: buttons, filters. */
  actions?: ReactNode;
  footer?: ReactNode;
  /** Padding around the children; `flush` for tables and lists. */
  body?: 'padded' | 'flush';
  /** A line under the head. */
  line?: boolean;
  tone?: 'default' | 'danger';
  /** The anchor of a section. */
  id?: string;
  className?: string | undefined;
  /** While what is inside is loaded again. */
  busy?: boolean;
  children?: ReactNode;
}

export function Panel({
  title,
  level = 2,
  aside,
  actions,
  footer,
  body = 'padded',
  line = true,
  tone = 'default',
  id,
  className,
  busy,
  children,
}: PanelProps) {
  const headingId = useId();
  const Heading = `h${level}` as const;
  return (
    <section
      className={classNames(panelStyles.panel, tone === 'danger' && panelStyles.danger, className)}
      id={id}
      aria-labelledby={title ? headingId : undefined}
      aria-busy={busy || undefined}
    >
      {title && (
        <div className={classNames(panelStyles.head, line && panelStyles.ruled)}>
          <Heading id={headingId}>{title}</Heading>
          {aside}
          {actions && <div className={panelStyles.actions}>{actions}</div>}
        </div>
      )}
      {body === 'padded' ? <div className={panelStyles.body}>{children}</div> : children}
      {footer && <div className={panelStyles.foot}>{footer}</div>}
    </section>
  );
}
