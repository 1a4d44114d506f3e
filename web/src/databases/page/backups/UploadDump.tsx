import type { Database } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { useRef } from 'react';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Progress } from '../../../ui/feedback/Progress.tsx';
import { Failed } from '../../../ui/feedback/States.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { formatBytes } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import styles from './backups.module.css';
import { useUpload } from './use-upload.ts';

interface UploadDumpProps {
  database: Database;
  freeBytes: number | null;
  onDone: () => void;
}

/** Takes a file of this computer as a dump, shows how much of it is sent, and can be cancelled. */
export function UploadDump({ database, freeBytes, onDone }: UploadDumpProps) {
  const input = useRef<HTMLInputElement>(null);
  const { state, send, cancel } = useUpload(database, freeBytes, onDone);
  const { dump } = databaseTypeOf(database.type);
  if (dump.kind === 'none') return null;
  return (
    <div className={classNames(layout.stack, layout.gap2, styles.upload)}>
      {state.kind === 'sending' ? (
        <div className={classNames(layout.row, layout.gap3)}>
          <span className={typography.small}>
            {state.name}: {formatBytes(state.sent)} of {formatBytes(state.total)}
          </span>
          <Button size="sm" className={layout.atEnd} onClick={cancel}>
            Cancel<span className={layout.visuallyHidden}> the upload</span>
          </Button>
        </div>
      ) : (
        <div className={classNames(layout.row, layout.wrap, layout.gap3)}>
          <span className={classNames(typography.small, typography.muted)}>
            From this computer: {dump.content}
          </span>
          <Button size="sm" className={layout.atEnd} icon="upload" onClick={() => input.current?.click()}>
            Upload a dump
          </Button>
        </div>
      )}
      {state.kind === 'sending' && (
        <Progress label={`Upload of ${state.name}`} percent={Math.floor((state.sent / state.total) * 100)} />
      )}
      {state.kind === 'failed' && <Failed title={`${state.name} is not uploaded`}>{state.reason}</Failed>}
      <input
        ref={input}
        className={layout.visuallyHidden}
        type="file"
        tabIndex={-1}
        aria-label="File of the dump"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) send(file);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </div>
  );
}
