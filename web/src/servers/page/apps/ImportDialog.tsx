import type { ImportOffer } from '@homeport/contract/servers/import-schema';
import type { Server } from '@homeport/contract/servers/schema';
import { type FormEvent, useId, useState } from 'react';
import { fieldProblem, problemText } from '../../../data/api-problem.ts';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { Failed, SkeletonRows } from '../../../ui/feedback/States.tsx';
import { Checkbox } from '../../../ui/form/Choice.tsx';
import controlsStyles from '../../../ui/form/controls.module.css';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import { foundAppText, namesText, pushersText } from './found-app-text.ts';
import styles from './ImportDialog.module.css';
import { type Offer, type OfferedApp, unreadCount } from './import-offer.ts';
import { useImportOffer } from './use-import-offer.ts';

/**
 * The apps of a server that Homeport does not know, each with what it has. None is chosen at first, because
 * other people may have apps on the server.
 */
export function ImportDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const formId = useId();
  const { offer, lookAgain } = useImportOffer(server.id);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [sent, setSent] = useState(false);
  const start = useAct('POST /api/servers/:id/import', {
    onDone: (operation) => {
      onClose();
      openOperation(operation.id);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (chosen.size > 0) start.mutate({ params: { id: server.id }, body: { longnames: [...chosen] } });
  };
  const refusal = fieldProblem(start.error, 'longnames');
  const error = sent && chosen.size === 0 ? 'Choose at least one app.' : refusal;
  const any = offer.kind === 'found' && offer.apps.size > 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Import apps of ${server.name}`}
      description="Homeport adds the chosen apps to your list and reads them. Nothing on the server changes."
      footer={
        <>
          <Button className={layout.atEnd} onClick={onClose}>
            {any ? 'Cancel' : 'Close'}
          </Button>
          {any && (
            <Button
              type="submit"
              form={formId}
              variant="primary"
              busy={start.isPending}
              busyLabel="Importing"
            >
              {importLabel(chosen.size)}
            </Button>
          )}
        </>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={start.isPending} onSubmit={submit}>
        {start.error && !refusal && <Failed title="Nothing was imported">{problemText(start.error)}</Failed>}
        {offer.kind === 'asking' && <SkeletonRows rows={3} />}
        {offer.kind === 'failed' && (
          <Failed title="The server did not tell its apps" onRetry={lookAgain}>
            {problemText(offer.error)}
          </Failed>
        )}
        {offer.kind === 'found' && (
          <Choice offer={offer} chosen={chosen} error={error} onChange={setChosen} onLookAgain={lookAgain} />
        )}
      </form>
    </Dialog>
  );
}

const importLabel = (count: number) =>
  count === 0 ? 'Import' : count === 1 ? 'Import 1 app' : `Import ${count} apps`;

interface ChoiceProps {
  offer: Extract<Offer, { kind: 'found' }>;
  chosen: ReadonlySet<string>;
  error: string | undefined;
  onChange: (chosen: ReadonlySet<string>) => void;
  onLookAgain: () => void;
}

function Choice({ offer, chosen, error, onChange, onLookAgain }: ChoiceProps) {
  const errorId = useId();
  const { found, apps, stopped } = offer;
  const toggle = (longname: string) => {
    const next = new Set(chosen);
    if (!next.delete(longname)) next.add(longname);
    onChange(next);
  };
  if (apps.size === 0) return <p>Homeport knows every app of this server already.</p>;
  const all = chosen.size === apps.size;
  const unread = unreadCount(offer);
  return (
    <>
      <KeysOfServer keys={found.keys} />
      <fieldset className={controlsStyles.field} aria-describedby={error ? errorId : undefined}>
        <legend className={controlsStyles.label}>Apps to import</legend>
        <div className={classNames(layout.row, layout.wrap, layout.spaceBetween)}>
          <span className={classNames(typography.small, typography.muted)} aria-live="polite">
            {chosen.size} of {apps.size} chosen{unread > 0 && !stopped && `, ${unread} still to be read`}
          </span>
          <Button size="sm" onClick={() => onChange(all ? new Set() : new Set(apps.keys()))}>
            {all ? 'Choose none' : 'Choose all'}
          </Button>
        </div>
        <div className={styles.apps}>
          {[...apps].map(([longname, app]) => (
            <Checkbox
              key={longname}
              name="longnames"
              checked={chosen.has(longname)}
              aria-invalid={error ? true : undefined}
              onChange={() => toggle(longname)}
              label={<AppLabel longname={longname} app={app} stopped={stopped} />}
            />
          ))}
        </div>
        {error && (
          <p className={controlsStyles.error} id={errorId} role="alert">
            {error}
          </p>
        )}
      </fieldset>
      {found.left > 0 && (
        <p className={classNames(typography.small, typography.muted)}>
          {found.left.toLocaleString('en')} more apps are on the server. Import again for more of them.
        </p>
      )}
      {stopped && (
        <Failed title={`${unread} apps were not read`} onRetry={onLookAgain}>
          You can import them all the same: Homeport reads each app during the import.
        </Failed>
      )}
    </>
  );
}

function AppLabel({ longname, app, stopped }: { longname: string; app: OfferedApp; stopped: boolean }) {
  return (
    <span className={typography.twoLines}>
      <span className={typography.monospace}>{longname}</span>
      <small className={styles.facts}>
        {app === null ? (
          stopped ? (
            'Not read.'
          ) : (
            'Reading from the server'
          )
        ) : 'unreadable' in app ? (
          `Could not be read: ${app.unreadable}`
        ) : (
          <>
            {foundAppText(app)}
            <br />
            {pushersText(app)}
          </>
        )}
      </small>
    </span>
  );
}

/** Says whose keys may push to the server, so that nobody takes over the apps of others by mistake. */
function KeysOfServer({ keys }: { keys: Extract<ImportOffer, { type: 'found' }>['keys'] }) {
  if (keys === null)
    return (
      <Banner tone="warn">
        <p>Homeport could not read whose keys this server has. Choose only apps that are yours to manage.</p>
      </Banner>
    );
  const others = keys.filter(({ own }) => !own).map(({ name }) => name);
  if (others.length === 0) return null;
  return (
    <Banner tone="warn">
      <p>
        {others.length === 1 ? 'A key that is not yours' : `${others.length} keys that are not yours`} may
        push to this server: {namesText(others)}. Choose only apps that are yours to manage. Who may push to
        them stays as it is.
      </p>
    </Banner>
  );
}
