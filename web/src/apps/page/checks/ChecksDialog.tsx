import { type CheckMode, checkModes, retireTimeRefused } from '@homeport/contract/apps/checks/facts';
import type { AppChecks } from '@homeport/contract/apps/checks/schema';
import { type FormEvent, useId, useState } from 'react';
import { useAct } from '../../../data/use-api.ts';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { openOperation } from '../../../operations/open-operation.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { CodeLine } from '../../../ui/button/CodeLine.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../../ui/dialog/SubmitButtons.tsx';
import { TextField } from '../../../ui/form/Field.tsx';
import { Select } from '../../../ui/form/Select.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import { closedOnApp } from '../../closed-on-app.ts';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import { modeCosts, modeLabels, snippet } from './check-texts.ts';
import { type ChecksDraft, changeOf, untouched } from './checks-draft.ts';
import { OwnChecks } from './OwnChecks.tsx';
import { asksPath } from './own-check-texts.ts';

/** What Dokku checks before visitors reach new containers, and what it does without a check. */
export function ChecksDialog({ place, onClose }: { place: AppPlace; onClose: () => void }) {
  const { app, server, connect } = place;
  const formId = useId();
  const [draft, setDraft] = useState(untouched);
  const { state } = useOnServer('GET /api/apps/:id/checks', place, null);
  const change = useAct('POST /api/apps/:id/checks', {
    onDone: ({ id }) => {
      onClose();
      openOperation(id);
    },
  });
  const { body, wrong } = state.kind === 'ready' ? changeOf(state.data, draft) : { body: null, wrong: false };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (body) change.mutate({ params: { id: app.id }, body });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      dirty={(body !== null || wrong) && !change.isPending}
      title={`Checks of ${app.name}`}
      description="What Dokku does with new containers before visitors reach them. Changes hold from the next deploy on; nothing restarts."
      footer={
        <SubmitButtons
          form={formId}
          onCancel={onClose}
          disabled={body === null || closedOnApp(app, server) !== null}
          busy={change.isPending}
          busyLabel="Changing"
        >
          Change checks
        </SubmitButtons>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={change.isPending} onSubmit={submit}>
        {change.error && <ProblemBanner error={change.error} />}
        <ServerRead state={state} connect={connect} what="the checks" rows={3}>
          {(checks) => <Checks checks={checks} draft={draft} wrong={wrong} onDraft={setDraft} />}
        </ServerRead>
      </form>
    </Dialog>
  );
}

interface ChecksProps {
  checks: AppChecks;
  draft: ChecksDraft;
  wrong: boolean;
  onDraft: (draft: ChecksDraft) => void;
}

function Checks({ checks, draft, wrong, onDraft }: ChecksProps) {
  return (
    <>
      {checks.types.map((of) => {
        const { type } = of;
        const mode = draft.modes.get(type) ?? of.mode;
        return (
          <div key={type} className={classNames(layout.stack, layout.gap2)}>
            <Select
              label={type}
              value={mode}
              help={modeCosts[mode]}
              options={checkModes.map((value) => ({ value, label: modeLabels[value] }))}
              onChange={({ currentTarget: { value } }) =>
                onDraft({ ...draft, modes: new Map(draft.modes).set(type, modeIn(value)) })
              }
            />
            {mode === 'checked' && <OwnChecks of={of} checks={checks} />}
          </div>
        );
      })}
      <TextField
        label="Old containers have at most"
        suffix="s"
        inputMode="numeric"
        autoComplete="off"
        help="At the switch they are told to end, and stopped after this time. An app that finishes its requests first needs the time. Dokku before 0.38 tells them nothing until then."
        error={wrong ? retireTimeRefused : null}
        value={draft.retire ?? `${checks.retireSeconds ?? ''}`}
        onChange={({ currentTarget: { value } }) => onDraft({ ...draft, retire: value })}
      />
      {checks.types.some(({ type }) => type === 'web') && !asksPath(checks) && (
        <div className={layout.stack}>
          <p className={typography.small}>
            A check of a path, for the app.json of a repository that has none for web: only a version that
            answers is switched to, as soon as it does.
          </p>
          <CodeLine text={snippet} what="snippet for app.json" wrap />
        </div>
      )}
    </>
  );
}

const modeIn = (value: string): CheckMode => checkModes.find((mode) => mode === value) ?? 'checked';
