import type { Server } from '@homeport/contract/servers/schema';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { listSigned, type SignedEntry } from '../connections/signing-record.ts';
import { signedKey } from '../data/query-keys.ts';
import { Button } from '../ui/button/Button.tsx';
import { NothingYet, SkeletonRows } from '../ui/feedback/States.tsx';
import { Panel } from '../ui/layout/Panel.tsx';
import panelStyles from '../ui/layout/panel.module.css';
import { type Column, Table } from '../ui/table/Table.tsx';
import { Time } from '../ui/text/Time.tsx';
import typography from '../ui/text/typography.module.css';

const fewest = 10;

type Line = SignedEntry & { server: Server };

/** Every proof of identity that this browser gave for the user's servers, with time, server and account. */
export function SignedPanel({ servers }: { servers: readonly Server[] | undefined }) {
  const [all, setAll] = useState(false);
  const signed = useQuery({
    queryKey: signedKey,
    queryFn: listSigned,
    networkMode: 'always',
    staleTime: 0,
  });
  // Two people may share a browser, so the panel shows only the user's own servers.
  const byId = new Map(servers?.map((server) => [server.id, server]));
  const lines = (signed.data ?? []).flatMap((entry): Line[] => {
    const server = byId.get(entry.serverId);
    return server ? [{ ...entry, server }] : [];
  });
  return (
    <Panel title="What this browser signed" body="flush" line={lines.length === 0}>
      {signed.isPending || !servers ? (
        <SkeletonRows />
      ) : !signed.data ? (
        <NothingYet>The browser’s storage could not be read.</NothingYet>
      ) : lines.length === 0 ? (
        <NothingYet>
          Nothing yet. Each login to a server that this browser takes part in appears here.
        </NothingYet>
      ) : (
        <>
          <Table
            caption="What this browser signed"
            density="compact"
            columns={columns}
            rows={all ? lines : lines.slice(0, fewest)}
            rowKey={({ at, serverId, session }) => session ?? `${serverId} ${at}`}
          />
          {!all && lines.length > fewest && (
            <p className={panelStyles.foot}>
              <Button size="sm" onClick={() => setAll(true)}>
                Show all {lines.length}
              </Button>
            </p>
          )}
        </>
      )}
    </Panel>
  );
}

const columns: readonly Column<Line>[] = [
  { key: 'at', head: 'Time', cell: ({ at }) => <Time at={at} as="datetime" /> },
  {
    key: 'server',
    head: 'Server',
    cell: ({ server }) => (
      <Link className={typography.quietLink} to="/server/$key" params={{ key: server.key }}>
        {server.name}
      </Link>
    ),
  },
  { key: 'user', head: 'User', cell: ({ user }) => <span className={typography.monospace}>{user}</span> },
  {
    key: 'method',
    head: 'How',
    cell: ({ method }) => (method === 'agent' ? 'Signed with a key' : 'Password handed over'),
  },
];
