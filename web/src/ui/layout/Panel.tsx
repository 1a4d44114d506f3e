import { type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';
import panelStyles from './panel.module.css';

export interface PanelProps {
  title?: ReactNode;
  /** The heading level that fits the page. */
  level?: 2 | 3;
  /** Stands beside the title: a badge or a count. */
  aside?: ReactNode;
  /** Stand at the right of the head: buttons or filters. */
  actions?: ReactNode;
  footer?: ReactNode;
  /** The padding around the children. Use `flush` for tables and lists. */
  body?: 'padded' | 'flush';
  /** Draws a line under the head. */
  line?: boolean;
  /** The section's anchor. */
  id?: string;
  className?: string | undefined;
  /** The content is loading again. */
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
  id,
  className,
  busy,
  children,
}: PanelProps) {
  const headingId = useId();
  const Heading = `h${level}` as const;
  return (
    <section
      className={classNames(panelStyles.panel, className)}
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
