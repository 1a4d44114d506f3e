import type { ImportOffer } from '@homeport/contract/servers/import-schema';
import type { Server } from '@homeport/contract/servers/schema';
import { useState } from 'react';
import { fieldProblem, problemText } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { ImportChoice } from '../../../import-frame/ImportChoice.tsx';
import { ImportFrame } from '../../../import-frame/ImportFrame.tsx';
import { openOperation } from '../../../operations/open-operation.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { Failed, SkeletonRows } from '../../../ui/feedback/States.tsx';
import typography from '../../../ui/text/typography.module.css';
import { foundAppText, namesText, pushersText } from './found-app-text.ts';
import styles from './ImportDialog.module.css';
import { type Offer, type OfferedApp, unreadCount } from './import-offer.ts';
import { useImportOffer } from './use-import-offer.ts';

/** The apps of a server that Homeport does not know, each with what it has. */
export function ImportDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const { offer, lookAgain } = useImportOffer(server.id);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [sent, setSent] = useState(false);
  const start = useAct('POST /api/servers/:id/import', {
    onDone: (operation) => {
      onClose();
      openOperation(operation.id);
    },
  });
  const submit = () => {
    setSent(true);
    if (chosen.size > 0) start.mutate({ params: { id: server.id }, body: { longnames: [...chosen] } });
  };
  const refusal = fieldProblem(start.error, 'longnames');
  const error = sent && chosen.size === 0 ? 'Choose at least one app.' : refusal;
  return (
    <ImportFrame
      title={`Import apps of ${server.name}`}
      description="Homeport adds the chosen apps to your list and reads them. Nothing on the server changes."
      noun="app"
      chosenCount={chosen.size}
      anyFound={offer.kind === 'found' && offer.apps.size > 0}
      importing={start.isPending}
      onImport={submit}
      onClose={onClose}
    >
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
    </ImportFrame>
  );
}

interface ChoiceProps {
  offer: Extract<Offer, { kind: 'found' }>;
  chosen: ReadonlySet<string>;
  error: string | undefined;
  onChange: (chosen: ReadonlySet<string>) => void;
  onLookAgain: () => void;
}

function Choice({ offer, onLookAgain, ...choice }: ChoiceProps) {
  const { found, apps, stopped } = offer;
  if (apps.size === 0) return <p>Homeport knows every app of this server already.</p>;
  const unread = unreadCount(offer);
  const labels = [...apps].map(
    ([longname, app]) =>
      [longname, <AppLabel key="label" longname={longname} app={app} stopped={stopped} />] as const,
  );
  return (
    <>
      <KeysOfServer keys={found.keys} />
      <ImportChoice
        legend="Apps to import"
        name="longnames"
        offered={new Map(labels)}
        note={unread > 0 && !stopped && `, ${unread} still to be read`}
        {...choice}
      />
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
