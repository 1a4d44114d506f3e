import type { App } from '@homeport/contract/apps/schema';
import type { Database, DatabaseLink } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { Checkbox } from '../../ui/form/Choice.tsx';
import { linkedName, restartsAtFirst } from './link-texts.ts';
import { useLinkActs } from './use-link-acts.ts';

export interface LinkDialogProps {
  database: Database;
  link: DatabaseLink;
  /** The app's record. undefined: Homeport does not know the app. */
  app: App | undefined;
  onClose: () => void;
}

/** Takes the variable away from an app. The data stay. */
export function UnlinkDialog({ database, link, app, onClose }: LinkDialogProps) {
  const [restart, setRestart] = useState(restartsAtFirst(app));
  const { unlink } = useLinkActs(database);
  const name = linkedName(link);
  const variable = link.variable ?? 'the variable with its connection string';
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Unlink ${database.name} from ${name}?`}
      description={`${name} loses ${variable} and stops reaching ${database.name} with its next start. The data stay in ${database.name}.`}
      action="Unlink"
      busyLabel="Unlinking"
      onConfirm={() => unlink(link.appLongname, restart)}
    >
      <RestartChoice name={name} restart={restart} onChange={setRestart} />
    </ConfirmDialog>
  );
}

/** Gives the type's usual variable of an app to this database. Dokku restarts a deployed app meanwhile. */
export function PromoteDialog({ database, link, app, onClose }: LinkDialogProps) {
  const { promote } = useLinkActs(database);
  const name = linkedName(link);
  const { variable } = databaseTypeOf(database.type);
  const restarts = app === undefined || restartsAtFirst(app) ? ` Dokku restarts ${name} at once.` : '';
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Promote ${database.name} in ${name}?`}
      description={`${name} then reads ${variable} from ${database.name}. What ${variable} holds now moves to another variable, whose name Dokku chooses.${restarts}`}
      action="Promote"
      busyLabel="Promoting"
      onConfirm={() => promote(link.appLongname)}
    />
  );
}

export interface RestartChoiceProps {
  name: string;
  restart: boolean;
  onChange: (restart: boolean) => void;
}

export function RestartChoice({ name, restart, onChange }: RestartChoiceProps) {
  return (
    <Checkbox
      checked={restart}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label={`Restart ${name} once at the end, if it runs, so that it reads the change`}
    />
  );
}
