import type { Server } from '@homeport/contract/servers';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Chip } from '../ui/Status.tsx';

export interface ServerNameProps {
  server: Server;
  /** Under the name: what else tells it apart. */
  children: ReactNode;
}

/** A server in a list: the way to its page, and what it is a stand-in for. */
export function ServerName({ server, children }: ServerNameProps) {
  return (
    <span className="two">
      <Link className="name" to="/server/$key" params={{ key: server.key }}>
        {server.name}
      </Link>
      <span className="row">
        {children}
        {server.simulated && <Chip>simulated</Chip>}
        {server.sandbox && <Chip>sandbox</Chip>}
      </span>
    </span>
  );
}
