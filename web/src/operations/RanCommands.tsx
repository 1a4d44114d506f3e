import { useState } from 'react';
import { useApi } from '../data/use-api.ts';
import { CodeLine } from '../ui/CodeLine.tsx';
import { formatElapsed } from '../ui/format.ts';
import { Failed, NothingYet, SkeletonRows } from '../ui/States.tsx';

/** The exact commands of an operation, asked for when they are wanted. */
export function RanCommands({ operationId }: { operationId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="ran" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Commands that ran</summary>
      {open && <Commands operationId={operationId} />}
    </details>
  );
}

function Commands({ operationId }: { operationId: string }) {
  const { data, isError, refetch } = useApi('GET /api/operations/:id/commands', {
    params: { id: operationId },
  });
  if (isError) return <Failed title="The commands could not be loaded" onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows />;
  if (data.length === 0) return <NothingYet>No command has run yet.</NothingYet>;
  return (
    <ol className="stack g3">
      {data.map((ran, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an append-only list
        <li key={index} className="stack g1">
          <span className="xs muted">
            As {ran.account},{' '}
            {ran.exitCode === null ? 'ended without an exit code' : `exit code ${ran.exitCode}`},{' '}
            {ran.durationMs < 1_000 ? `${Math.round(ran.durationMs)} ms` : formatElapsed(ran.durationMs)}
          </span>
          <CodeLine text={ran.command} what="command" wrap />
        </li>
      ))}
    </ol>
  );
}
