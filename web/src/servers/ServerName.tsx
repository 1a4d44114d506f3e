import type { Server } from '@homeport/contract/servers/schema';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import { Chip } from '../ui/feedback/Status.tsx';
import layout from '../ui/layout/layout.module.css';
import typography from '../ui/text/typography.module.css';
import styles from './ServerName.module.css';

export interface ServerNameProps {
  server: Server;
  /** Stands under the name: another fact that identifies the server. */
  children: ReactNode;
}

/** A server in a list: the link to its page, and a chip for a simulated or sandbox server. */
export function ServerName({ server, children }: ServerNameProps) {
  return (
    <span className={typography.twoLines}>
      <Link className={typography.name} to="/server/$key" params={{ key: server.key }}>
        {server.name}
      </Link>
      <span className={classNames(layout.row, styles.line)}>
        {children}
        {server.credential === null && !server.simulated && <Chip small>read-only</Chip>}
        {server.simulated && <Chip small>simulated</Chip>}
        {server.sandbox && <Chip small>sandbox</Chip>}
      </span>
    </span>
  );
}
