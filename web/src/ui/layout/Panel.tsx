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

export interface PanelPartProps {
  title: ReactNode;
  /** The part's anchor. */
  id?: string;
  /** Stands beside the title. */
  aside?: ReactNode;
  /** Stand at the right of the title. */
  actions?: ReactNode;
  footer?: ReactNode;
  /** The content is loading again. */
  busy?: boolean;
  children?: ReactNode;
}

/** A part of a panel, with a small title of its own and a line above. With a lone sentence it is one line, as a panel is. */
export function PanelPart({ title, id, aside, actions, footer, busy, children }: PanelPartProps) {
  const headingId = useId();
  return (
    <section className={panelStyles.part} id={id} aria-labelledby={headingId} aria-busy={busy || undefined}>
      <div className={classNames(panelStyles.head, panelStyles.small)}>
        <h3 id={headingId}>{title}</h3>
        {aside}
        {actions && <div className={panelStyles.actions}>{actions}</div>}
      </div>
      {children}
      {footer && <div className={panelStyles.foot}>{footer}</div>}
    </section>
  );
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
