import type { App } from '@homeport/contract/apps/schema';
import type { Database } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { Select } from '../../ui/form/Select.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import { RestartChoice } from './ChangeLinkDialogs.tsx';
import { restartsAtFirst, variableSentence } from './link-texts.ts';

interface LinkFormProps {
  title: string;
  /** The choices, and what the chosen pair is. */
  field: { label: string; options: readonly { value: string; label: string }[]; empty: ReactNode };
  pairOf: (chosen: string) => { database: Database | undefined; app: App | undefined };
  onClose: () => void;
}

/** Links one database to one app, one of them chosen here. */
function LinkForm({ title, field, pairOf, onClose }: LinkFormProps) {
  const formId = useId();
  const [picked, setPicked] = useState<string | null>(null);
  const [wish, setWish] = useState<boolean | null>(null);
  const [sent, setSent] = useState(false);
  const databases = useApi('GET /api/databases').data ?? [];
  const link = useAct('POST /api/databases/:id/link', {
    onDone: (operation) => {
      onClose();
      openOperation(operation.id);
    },
  });
  const [first, ...others] = field.options;
  const chosen = picked ?? (others.length === 0 ? (first?.value ?? '') : '');
  const { database, app } = pairOf(chosen);
  const restart = wish ?? restartsAtFirst(app);
  const refusal = fieldProblem(link.error, 'appLongname');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (database && app)
      link.mutate({ params: { id: database.id }, body: { appLongname: app.longname, restart } });
  };
  const any = field.options.length > 0;
  return (
    <Dialog
      open
      onClose={onClose}
      size="slim"
      title={title}
      description="A link puts the connection string into a variable of the app. Both must be on the same server."
      footer={
        <>
          <Button className={layout.atEnd} onClick={onClose}>
            {any ? 'Cancel' : 'Close'}
          </Button>
          {any && (
            <Button type="submit" form={formId} variant="primary" busy={link.isPending} busyLabel="Linking">
              Link
            </Button>
          )}
        </>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={link.isPending} onSubmit={submit}>
        {link.error && !refusal && <ProblemBanner error={link.error}>Nothing was linked.</ProblemBanner>}
        {any ? (
          <Select
            label={field.label}
            value={chosen}
            error={(sent && chosen === '' ? 'Choose one.' : undefined) ?? refusal}
            options={[{ value: '', label: 'Choose one', disabled: true }, ...field.options]}
            onChange={({ currentTarget }) => {
              setPicked(currentTarget.value);
              setWish(null);
            }}
          />
        ) : (
          field.empty
        )}
        {database && app && (
          <>
            <p className={classNames(typography.small, typography.muted)}>
              {variableSentence(database, app.longname, databases)}
            </p>
            <RestartChoice name={app.name} restart={restart} onChange={setWish} />
          </>
        )}
      </form>
    </Dialog>
  );
}

/** Links a database to an app of its server. */
export function LinkAppDialog({ database, onClose }: { database: Database; onClose: () => void }) {
  const apps = (useApi('GET /api/apps').data ?? []).filter(
    (app) =>
      app.serverId === database.serverId &&
      app.missingSince === null &&
      !database.links.some(({ appLongname }) => appLongname === app.longname),
  );
  return (
    <LinkForm
      title={`Link ${database.name} to an app`}
      field={{
        label: `App on ${database.serverName}`,
        options: apps.map(({ longname, name }) => ({ value: longname, label: `${name} (${longname})` })),
        empty: (
          <p className={typography.small}>
            {database.serverName} has no other app that Homeport knows. Create an app there, or import one on
            the server’s page.
          </p>
        ),
      }}
      pairOf={(chosen) => ({ database, app: apps.find(({ longname }) => longname === chosen) })}
      onClose={onClose}
    />
  );
}

/** Links an app to a database of its server. */
export function LinkDatabaseDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const databases = (useApi('GET /api/databases').data ?? []).filter(
    ({ serverId, links }) =>
      serverId === app.serverId && !links.some(({ appLongname }) => appLongname === app.longname),
  );
  return (
    <LinkForm
      title={`Link a database to ${app.name}`}
      field={{
        label: `Database on ${app.serverName}`,
        options: databases.map(({ id, name, type, longname }) => ({
          value: id,
          label: `${name}, ${databaseTypeOf(type).title} (${longname})`,
        })),
        empty: (
          <p className={typography.small}>
            {app.serverName} has no other database that Homeport knows. Create one there, or import one on the
            server’s page.
          </p>
        ),
      }}
      pairOf={(chosen) => ({ database: databases.find(({ id }) => id === chosen), app })}
      onClose={onClose}
    />
  );
}
