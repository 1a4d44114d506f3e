import { useState } from 'react';
import { useApi } from '../data/use-api.ts';
import { NotLoaded } from '../page-frame/NotLoaded.tsx';
import { CodeLine } from '../ui/button/CodeLine.tsx';
import { classNames } from '../ui/class-names.ts';
import { NothingYet } from '../ui/feedback/States.tsx';
import layout from '../ui/layout/layout.module.css';
import { formatElapsed } from '../ui/text/format.ts';
import typography from '../ui/text/typography.module.css';
import styles from './RanCommands.module.css';

/** The exact commands of an operation, loaded on request. */
export function RanCommands({ operationId }: { operationId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.commands} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Commands that ran</summary>
      {open && <CommandList operationId={operationId} />}
    </details>
  );
}

export function CommandList({ operationId }: { operationId: string }) {
  const commands = useApi('GET /api/operations/:id/commands', { params: { id: operationId } });
  const { data } = commands;
  return (
    <>
      <NotLoaded query={commands} title="The commands could not be loaded" />
      {data?.length === 0 && <NothingYet>No command has run yet.</NothingYet>}
      {data && data.length > 0 && (
        <ol className={classNames(layout.stack, layout.gap3)}>
          {data.map((ran, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an append-only list
            <li key={index} className={layout.stack}>
              <span className={classNames(typography.extraSmall, typography.muted)}>
                As {ran.account},{' '}
                {ran.exitCode === null ? 'ended without an exit code' : `exit code ${ran.exitCode}`},{' '}
                {ran.durationMs < 1_000 ? `${Math.round(ran.durationMs)} ms` : formatElapsed(ran.durationMs)}
              </span>
              <CodeLine text={ran.command} what="command" wrap />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
