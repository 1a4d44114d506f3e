import type { Key } from '@homeport/contract/credentials/schema';
import { nameCharacters } from '@homeport/contract/fields/facts';
import { uptimeRules } from '@homeport/contract/uptime/facts';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { useApi } from '../../data/use-api.ts';
import type { CreationPhase } from '../../operations/use-creation.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { ServerChoice } from '../../server-choice/ServerChoice.tsx';
import { initialChoice, type ServerOffer } from '../../server-choice/server-offer.ts';
import { classNames } from '../../ui/class-names.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { Switch } from '../../ui/form/Choice.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import { TextField } from '../../ui/form/Field.tsx';
import { focusFirstWrong, focusFirstWrongOnceDrawn } from '../../ui/form/focus-first-wrong.ts';
import { PlanSlider } from '../../ui/form/PlanSlider.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { formatDuration } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';
import { certificateMailHelp } from '../certificate-mail.ts';
import { type AppDraft, type DraftField, emptyDraft, readDraft } from './app-draft.ts';
import { BeginChoice, RepositoryFields } from './BeginChoice.tsx';
import { DomainPreview } from './DomainPreview.tsx';
import { defaultDomainPreview } from './default-domain.ts';
import { KeyChoice } from './KeyChoice.tsx';
import styles from './new-app.module.css';
import { Summary } from './Summary.tsx';
import { useCreateApp } from './use-create-app.ts';

export interface NewAppFormProps {
  offers: readonly ServerOffer[];
  /** The server named in the address, by its key or id. */
  wanted: string | undefined;
  keys: readonly Key[];
  appDomain: string | null;
  /** The email address proposed for the certificate authority. */
  email: string;
}

const fields: readonly DraftField[] = [
  'name',
  'begin.fullName',
  'begin.branch',
  'serverId',
  'keyIds',
  'httpsEmail',
  'plan',
];
const busyLabels: Record<CreationPhase, string | null> = {
  rest: null,
  connecting: 'Connecting',
  creating: 'Creating',
};

/** The form keeps everything typed, whether the creation succeeds or fails. */
export function NewAppForm({ offers, wanted, keys, appDomain, email }: NewAppFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<AppDraft>({ ...emptyDraft, httpsEmail: email });
  const [checked, setChecked] = useState(false);
  const { create, phase, error } = useCreateApp();
  const change = (part: Partial<AppDraft>) => setDraft({ ...draft, ...part });

  const initial = initialChoice(offers, wanted, 'app');
  const serverId = draft.serverId ?? initial.serverId;
  const server = offers.find((offer) => offer.server.id === serverId)?.server ?? null;
  const keyIds = draft.keyIds ?? keys.slice(0, 1).map(({ id }) => id);
  const reading = readDraft({ ...draft, serverId, keyIds });
  const problems = checked && !reading.ok ? reading.problems : {};
  const problemOf = (field: DraftField) => problems[field] ?? fieldProblem(error, field);
  const part = { draft, change, problemOf };
  const domain = server && defaultDomainPreview({ name: draft.name, server, appDomain });

  useEffect(() => {
    if (error) focusFirstWrong(form.current);
  }, [error]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (reading.ok && server) void create(server, reading.body);
    else focusFirstWrongOnceDrawn(form.current);
  };

  return (
    <form ref={form} className={layout.withAside} noValidate aria-label="New app" onSubmit={submit}>
      <div className={classNames(layout.stack, layout.gap5)} inert={phase !== 'rest'}>
        {error && !fields.some((field) => fieldProblem(error, field)) && (
          <ProblemBanner error={error}>The app was not created.</ProblemBanner>
        )}
        <PlacePanel {...part} offers={offers} serverId={serverId} notice={initial.problem} />
        <Panel
          title="Size"
          aside={<span className={classNames(typography.subtle, typography.small)}>Plan {draft.plan}</span>}
          line={false}
        >
          <PlanSlider value={draft.plan} onChange={(plan) => change({ plan })} />
          {problemOf('plan') && (
            <p className={classNames(controlsStyles.error, layout.below)} role="alert">
              {problemOf('plan')}
            </p>
          )}
        </Panel>
        <AccessPanel {...part} domain={domain} keys={keys} keyIds={keyIds} />
      </div>
      <Summary
        name={draft.name}
        serverName={server?.name ?? null}
        plan={draft.plan}
        domain={domain}
        https={draft.https}
        busyLabel={busyLabels[phase]}
      />
    </form>
  );
}

interface PartProps {
  draft: AppDraft;
  change: (part: Partial<AppDraft>) => void;
  problemOf: (field: DraftField) => string | undefined;
}

interface PlacePanelProps extends PartProps {
  offers: readonly ServerOffer[];
  serverId: AppDraft['serverId'];
  /** Why the server of the address is not chosen. */
  notice: string | null;
}

function PlacePanel({ draft, change, problemOf, offers, serverId, notice }: PlacePanelProps) {
  return (
    <Panel title="Name and place" line={false}>
      <div className={classNames(layout.stack, layout.gap5)}>
        <div className={styles.pair}>
          <TextField
            label="App name"
            className={styles.name}
            autoComplete="off"
            maxLength={nameCharacters}
            value={draft.name}
            error={problemOf('name')}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <BeginChoice draft={draft} change={change} />
        </div>
        {draft.begin === 'repository' && (
          <RepositoryFields draft={draft} change={change} problemOf={problemOf} />
        )}
        {notice && (
          <Banner tone="warn">
            <p>{notice}</p>
          </Banner>
        )}
        <ServerChoice
          offers={offers}
          value={serverId}
          error={problemOf('serverId')}
          onChange={(chosen) => change({ serverId: chosen })}
        />
      </div>
    </Panel>
  );
}

interface AccessPanelProps extends PartProps {
  domain: string | null;
  keys: readonly Key[];
  keyIds: readonly string[];
}

function AccessPanel({ draft, change, problemOf, domain, keys, keyIds }: AccessPanelProps) {
  return (
    <Panel title="Access and address" line={false}>
      <div className={classNames(layout.stack, layout.gap5)}>
        <KeyChoice
          keys={keys}
          chosen={keyIds}
          error={problemOf('keyIds')}
          onChange={(chosen) => change({ keyIds: chosen })}
        />
        <div className={controlsStyles.field}>
          <span className={controlsStyles.label}>Domain</span>
          <p className={typography.small}>
            {domain === null ? 'Choose a server first.' : <DomainPreview domain={domain} />}
          </p>
          <OwnDomains />
        </div>
        <Switch
          label="HTTPS"
          help="Issue a certificate and renew it. Needs the domain to point at the server."
          checked={draft.https}
          onChange={(event) => change({ https: event.currentTarget.checked })}
        />
        {draft.https && (
          <TextField
            label="E-mail for the certificate authority"
            className={styles.name}
            type="email"
            autoComplete="email"
            value={draft.httpsEmail}
            error={problemOf('httpsEmail')}
            help={certificateMailHelp}
            onChange={(event) => change({ httpsEmail: event.currentTarget.value })}
          />
        )}
        <Switch
          label="Uptime monitoring"
          help={`Asks from outside whether the app answers, every ${formatDuration(uptimeRules.everyMs)}, and notifies you when it goes down.`}
          checked={draft.watched}
          onChange={(event) => change({ watched: event.currentTarget.checked })}
        />
      </div>
    </Panel>
  );
}

/** Where the app gets domains of the person's own. The sentence is as long before the zones are known. */
function OwnDomains() {
  const isLinked = useApi('GET /api/zones').data?.linked ?? true;
  const cloudflare = 'Cloudflare linked';
  return (
    <p className={controlsStyles.help}>
      Add domains of your own on the app’s page. With{' '}
      {isLinked ? (
        cloudflare
      ) : (
        <Link to="/profile" hash="cloudflare">
          {cloudflare}
        </Link>
      )}
      , it offers to make their DNS records.
    </p>
  );
}
