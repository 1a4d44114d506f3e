import type { Key } from '@homeport/contract/credentials/schema';
import { nameCharacters } from '@homeport/contract/fields/facts';
import { uptimeRules } from '@homeport/contract/uptime/facts';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { useOfferedRecord } from '../../domains/pointing/OfferedRecord.tsx';
import { useZones } from '../../domains/use-zones.ts';
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
import { type AppDraft, type DraftField, emptyDraft, ownDomain, readDraft } from './app-draft.ts';
import { BeginChoice, RepositoryFields } from './BeginChoice.tsx';
import { DomainPreview } from './DomainPreview.tsx';
import { defaultDomainPreview, neededWildcard } from './default-domain.ts';
import { KeyChoice } from './KeyChoice.tsx';
import styles from './new-app.module.css';
import { OwnDomain, type OwnDomainProps } from './OwnDomain.tsx';
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
  'ownDomain.domain',
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
  const { zones } = useZones();
  const zone = draft.zone ?? zones.data?.zones[0]?.name ?? null;
  const named = ownDomain({ host: draft.host, zone });
  const own = named === 'no name' ? null : named;
  const record = useOfferedRecord(server && { kind: 'server', id: server.id, serverName: server.name }, own);
  const reading = readDraft({ ...draft, serverId, keyIds, zone });
  const problems = checked && !reading.ok ? reading.problems : {};
  const problemOf = (field: DraftField) => problems[field] ?? fieldProblem(error, field);
  const part = { draft, change, problemOf };
  const domain = server && defaultDomainPreview({ name: draft.name, server, appDomain });
  const wildcard = server && neededWildcard(server, appDomain);

  useEffect(() => {
    if (error) focusFirstWrong(form.current);
  }, [error]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!reading.ok || !server) return focusFirstWrongOnceDrawn(form.current);
    const { ownDomain: wanted, ...body } = reading.body;
    if (!wanted) return void create(server, body);
    const decision = record.decide();
    if (decision.kind === 'wait') return;
    const seen = decision.kind === 'make' ? { seen: decision.seen } : {};
    void create(server, { ...body, ownDomain: { ...wanted, ...seen } });
  };

  return (
    <form ref={form} className={layout.withAside} noValidate aria-label="New app" onSubmit={submit}>
      <div className={classNames(layout.stack, layout.gap5)} inert={phase !== 'rest'}>
        {error && !fields.some((field) => fieldProblem(error, field)) && (
          <ProblemBanner error={error}>The app was not created.</ProblemBanner>
        )}
        <PlacePanel {...part} {...{ offers, serverId, domain, wildcard }} notice={initial.problem} />
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
        <AccessPanel
          {...part}
          {...{ keys, keyIds }}
          zones={{ list: zones.data, failed: zones.isError }}
          zone={zone}
          offer={record.offer}
          straying={record.strays ? own : null}
        />
      </div>
      <Summary
        name={draft.name}
        serverName={server?.name ?? null}
        plan={draft.plan}
        domain={domain}
        ownDomain={own}
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
  /** The default domain; null while no server is chosen. */
  domain: string | null;
  /** The DNS record that the domain needs; null: Homeport sees to it that the domain leads to the server. */
  wildcard: string | null;
  /** Why the server of the address is not chosen. */
  notice: string | null;
}

function PlacePanel({
  draft,
  change,
  problemOf,
  offers,
  serverId,
  domain,
  wildcard,
  notice,
}: PlacePanelProps) {
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
            help={
              domain === null ? (
                'Choose a server: it gives the app its address.'
              ) : (
                <>
                  Reachable at <DomainPreview domain={domain} />{' '}
                  {wildcard === null ? 'once created' : `if ${wildcard} leads to the server`}.
                </>
              )
            }
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
  keys: readonly Key[];
  keyIds: readonly string[];
  zones: Pick<OwnDomainProps, 'list' | 'failed'>;
  /** The chosen one, or the first. */
  zone: AppDraft['zone'];
  offer: ReactNode;
  /** The domain of the person's own, where it will lead elsewhere. */
  straying: string | null;
}

function AccessPanel(props: AccessPanelProps) {
  const { draft, change, problemOf, keys, keyIds, zones, zone, offer, straying } = props;
  return (
    <Panel title="Access and address" line={false}>
      <div className={classNames(layout.stack, layout.gap5)}>
        <KeyChoice
          keys={keys}
          chosen={keyIds}
          error={problemOf('keyIds')}
          onChange={(chosen) => change({ keyIds: chosen })}
        />
        <OwnDomain
          {...zones}
          draft={{ host: draft.host, zone }}
          change={change}
          problem={problemOf('ownDomain.domain')}
          offer={offer}
        />
        <Switch
          label="HTTPS"
          help="Issue a certificate and renew it. Needs the domain to point at the server."
          checked={draft.https}
          onChange={(event) => change({ https: event.currentTarget.checked })}
        />
        {draft.https && straying !== null && (
          <Banner tone="warn">
            <p>
              One certificate is for all domains of the app, so none gets it while{' '}
              <span className={typography.longWords}>{straying}</span> leads elsewhere.
            </p>
          </Banner>
        )}
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
