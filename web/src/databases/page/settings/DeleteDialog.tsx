import { deletion, dumpsFolder } from '@homeport/contract/databases/facts';
import type { Database } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { useState } from 'react';
import { orSentence } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { classNames } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { Checkbox } from '../../../ui/form/Choice.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { formatBytes } from '../../../ui/text/format.ts';
import typography from '../../../ui/text/typography.module.css';
import { linkedName } from '../../links/link-texts.ts';
import styles from './DeleteDialog.module.css';

/** Says what is deleted, lists the linked apps, and deletes nothing that an app is linked to unless told so. */
export function DeleteDialog({ database, onClose }: { database: Database; onClose: () => void }) {
  const { id, name, longname, type, serverName, dataBytes, links } = database;
  const [unlinkAll, setUnlinkAll] = useState(false);
  const remove = useAct('POST /api/databases/:id/delete', {
    onDone: (operation) => openOperation(operation.id),
  });
  const confirm = async () => {
    if (links.length > 0 && !unlinkAll)
      throw new Error('Apps are linked to it. Unlink them first, or choose that all are unlinked.');
    await orSentence(
      remove.mutateAsync({ params: { id }, body: { confirmation: deletion.word, unlinkAll } }),
    );
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${name}?`}
      description={`All its data${dataBytes === null ? '' : `, ${formatBytes(dataBytes)},`} are deleted from ${serverName}. This cannot be undone.`}
      action={unlinkAll ? 'Unlink apps and delete database' : 'Delete database'}
      busyLabel="Deleting"
      typed={deletion.word}
      onConfirm={confirm}
    >
      <div className={classNames(layout.stack, styles.facts)}>
        {databaseTypeOf(type).dump.kind === 'file' && (
          <p className={typography.small}>
            Dumps that were made of it stay on the server, in{' '}
            <span className={typography.monospace}>
              {dumpsFolder}/{type}/{longname}
            </span>
            . This page goes with the database, so download what you want to keep first.
          </p>
        )}
        {links.length > 0 && (
          <div className={classNames(layout.stack, layout.gap2)}>
            <p className={typography.small}>These apps read it and stop working without it:</p>
            <ul className={typography.small}>
              {links.map((link) => (
                <li key={link.appLongname}>
                  {linkedName(link)}
                  {link.variable !== null && (
                    <>
                      , in <span className={typography.monospace}>{link.variable}</span>
                    </>
                  )}
                </li>
              ))}
            </ul>
            <Checkbox
              checked={unlinkAll}
              onChange={(event) => setUnlinkAll(event.currentTarget.checked)}
              label={links.length === 1 ? 'Unlink this app first' : `Unlink all ${links.length} apps first`}
            />
          </div>
        )}
      </div>
    </ConfirmDialog>
  );
}
