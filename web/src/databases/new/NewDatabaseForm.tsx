import { databaseMemoryMb, imageVersionCharacters } from '@homeport/contract/databases/facts';
import { type DatabaseTypeName, databaseTypes } from '@homeport/contract/databases/types/database-types';
import { nameCharacters } from '@homeport/contract/fields/facts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import type { CreationPhase } from '../../operations/use-creation.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { ServerChoice } from '../../server-choice/ServerChoice.tsx';
import { initialChoice, type ServerOffer } from '../../server-choice/server-offer.ts';
import { classNames } from '../../ui/class-names.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { RadioCards } from '../../ui/form/Choice.tsx';
import { TextField } from '../../ui/form/Field.tsx';
import { focusFirstWrong, focusFirstWrongOnceDrawn } from '../../ui/form/focus-first-wrong.ts';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { type DatabaseDraft, type DraftField, emptyDraft, readDraft } from './database-draft.ts';
import { type DefaultVersion, defaultVersion } from './default-version.ts';
import styles from './NewDatabaseForm.module.css';
import { NewDatabaseSummary } from './NewDatabaseSummary.tsx';
import { PluginConsent } from './PluginConsent.tsx';
import { pluginNeed } from './plugin-need.ts';
import { useCreateDatabase } from './use-create-database.ts';
import { useDatabasePlugins } from './use-database-plugins.ts';

export interface NewDatabaseFormProps {
  offers: readonly ServerOffer[];
  /** The server named in the address, by its key or id. */
  wanted: string | undefined;
  /** The type named in the address. */
  type: DatabaseTypeName | null;
}

const fields = Object.keys(emptyDraft) as DraftField[];
const busyLabels: Record<CreationPhase, string | null> = {
  rest: null,
  connecting: 'Connecting',
  creating: 'Creating',
};

/** The form keeps everything typed, whether the creation succeeds or fails. */
export function NewDatabaseForm({ offers, wanted, type }: NewDatabaseFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const initial = initialChoice(offers, wanted, 'database');
  const [draft, setDraft] = useState<DatabaseDraft>({ ...emptyDraft, type });
  const [checked, setChecked] = useState(false);
  const { create, phase, error } = useCreateDatabase();
  // Consent is for one server and one type.
  const change = (part: Partial<DatabaseDraft>) =>
    setDraft({
      ...draft,
      ...('type' in part || 'serverId' in part ? { installPlugin: false } : {}),
      ...part,
    });

  const serverId = draft.serverId ?? initial.serverId;
  const server = offers.find((offer) => offer.server.id === serverId)?.server ?? null;
  const plugins = useDatabasePlugins(server);
  const need = pluginNeed(
    plugins.kind === 'ready' ? plugins.data : null,
    draft.type ?? databaseTypes[0].type,
  );
  const usual = draft.type === null ? null : defaultVersion(draft.type, need);
  const reading = readDraft({ ...draft, serverId }, draft.type === null ? { kind: 'unknown' } : need);
  const problems = checked && !reading.ok ? reading.problems : {};
  const problemOf = (field: DraftField) => problems[field] ?? fieldProblem(error, field);

  useEffect(() => {
    if (error) focusFirstWrong(form.current);
  }, [error]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const installer = need.kind === 'missing' ? need.installer : null;
    if (reading.ok && server) void create(server, reading.body, installer);
    else focusFirstWrongOnceDrawn(form.current);
  };

  return (
    <form ref={form} className={layout.withAside} noValidate aria-label="New database" onSubmit={submit}>
      <div className={classNames(layout.stack, layout.gap5)} inert={phase !== 'rest'}>
        {error && !fields.some((field) => fieldProblem(error, field)) && (
          <ProblemBanner error={error}>The database was not created.</ProblemBanner>
        )}
        <TypePanel draft={draft} change={change} problemOf={problemOf} />
        <Panel title="Place" line={false}>
          <div className={classNames(layout.stack, layout.gap5)}>
            {initial.problem && (
              <Banner tone="warn">
                <p>{initial.problem}</p>
              </Banner>
            )}
            <ServerChoice
              offers={offers}
              value={serverId}
              error={problemOf('serverId')}
              onChange={(chosen) => change({ serverId: chosen })}
            />
            {server && draft.type !== null && (
              <PluginConsent
                key={server.id}
                server={server}
                type={draft.type}
                plugins={plugins}
                agreed={draft.installPlugin}
                onAgree={(installPlugin) => change({ installPlugin })}
                error={problemOf('installPlugin')}
              />
            )}
          </div>
        </Panel>
        <VersionPanel draft={draft} change={change} problemOf={problemOf} usual={usual} />
      </div>
      <NewDatabaseSummary
        name={draft.name}
        type={draft.type}
        serverName={server?.name ?? null}
        imageVersion={draft.imageVersion}
        usualVersion={usual?.version ?? null}
        memoryMb={draft.memoryMb}
        busyLabel={busyLabels[phase]}
      />
    </form>
  );
}

interface PartProps {
  draft: DatabaseDraft;
  change: (part: Partial<DatabaseDraft>) => void;
  problemOf: (field: DraftField) => string | undefined;
}

function TypePanel({ draft, change, problemOf }: PartProps) {
  return (
    <Panel title="Name and type" line={false}>
      <div className={classNames(layout.stack, layout.gap5)}>
        <TextField
          label="Database name"
          className={styles.field}
          autoComplete="off"
          maxLength={nameCharacters}
          value={draft.name}
          error={problemOf('name')}
          help="On the server its name is made of this one and random letters, so that no two collide."
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <RadioCards
          legend="Type"
          value={draft.type}
          error={problemOf('type')}
          options={databaseTypes.map(({ type, title, variable }) => ({
            value: type,
            label: title,
            note: `Apps read ${variable}`,
          }))}
          onChange={(type) => change({ type })}
        />
      </div>
    </Panel>
  );
}

function VersionPanel({ draft, change, problemOf, usual }: PartProps & { usual: DefaultVersion | null }) {
  return (
    <Panel title="Version and memory" line={false}>
      <div className={classNames(layout.stack, layout.gap5)}>
        <TextField
          label="Image version"
          optional
          mono
          className={styles.field}
          autoComplete="off"
          maxLength={imageVersionCharacters}
          placeholder={usual?.version ?? undefined}
          value={draft.imageVersion}
          error={problemOf('imageVersion')}
          help={usual?.text ?? 'Empty: the default of the server’s plugin for the type.'}
          onChange={(event) => change({ imageVersion: event.currentTarget.value })}
        />
        <TextField
          label="Memory limit in MB"
          optional
          mono
          className={styles.field}
          autoComplete="off"
          inputMode="numeric"
          value={draft.memoryMb}
          error={problemOf('memoryMb')}
          help={`Empty: no limit. At least ${databaseMemoryMb.least}. The limit is fixed at creation: Dokku cannot change it later.`}
          onChange={(event) => change({ memoryMb: event.currentTarget.value })}
        />
      </div>
    </Panel>
  );
}
