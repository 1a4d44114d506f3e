import type { SiteField } from '@homeport/contract/apps/site/facts';
import type { Site } from '@homeport/contract/apps/site/schema';
import { type FormEvent, useId, useState } from 'react';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../../ui/dialog/SubmitButtons.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { TextField } from '../../../ui/form/Field.tsx';
import { Select } from '../../../ui/form/Select.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { closedOnApp } from '../../closed-on-app.ts';
import type { AppPlace } from '../../on-server/app-place.ts';
import { changeOf, type SiteDraft, textOf, valuesAfter } from './site-draft.ts';
import {
  answerText,
  hstsTimeText,
  hstsWarnings,
  namesSubdomains,
  sendsHsts,
  uploadText,
} from './site-texts.ts';

interface SiteDialogProps {
  place: AppPlace;
  /** What the page showed as it opened. A newer answer does not replace it, because a change names what its person saw. */
  site: Site;
  onClose: () => void;
}

/** How much nginx takes, how long it waits, and what browsers remember. */
export function SiteDialog({ place, site, onClose }: SiteDialogProps) {
  const { app, server } = place;
  const formId = useId();
  const [draft, setDraft] = useState<SiteDraft>({});
  const change = useAct('POST /api/apps/:id/site', {
    onDone: ({ id }) => {
      onClose();
      openOperation(id);
    },
  });
  const { body, problems } = changeOf(site, draft);
  const buildsAlone = body?.changes.length === 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (body) change.mutate({ params: { id: app.id }, body });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      dirty={!buildsAlone && !change.isPending}
      title={`Site of ${app.name}`}
      description="How nginx serves the app. Dokku writes nginx’s configuration anew and reloads it; the app does not restart. What nginx refuses is put back. Build again, without a change, puts in force what somebody set on the server."
      footer={
        <SubmitButtons
          form={formId}
          onCancel={onClose}
          disabled={body === null || closedOnApp(app, server) !== null}
          busy={change.isPending}
          busyLabel={buildsAlone ? 'Building' : 'Changing'}
        >
          {buildsAlone ? 'Build again' : 'Change site'}
        </SubmitButtons>
      }
    >
      <form id={formId} className={layout.stack} noValidate inert={change.isPending} onSubmit={submit}>
        {change.error && <ProblemBanner error={change.error} />}
        {site.ownTemplate && (
          <Banner tone="warn">
            <p>
              The repository has its own nginx.conf.sigil. A value here does something only where that file
              uses it.
            </p>
          </Banner>
        )}
        <Fields
          site={site}
          draft={draft}
          problems={problems}
          onDraft={setDraft}
          warnings={hstsWarnings(valuesAfter(site, draft), app)}
        />
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  site: Site;
  draft: SiteDraft;
  problems: Partial<Record<SiteField, string>>;
  warnings: readonly string[];
  onDraft: (draft: SiteDraft) => void;
}

function Fields({ site, draft, problems, warnings, onDraft }: FieldsProps) {
  const wiring = (field: SiteField) => ({
    value: textOf(site, draft, field),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onDraft({ ...draft, [field]: value }),
  });
  const typed = (field: SiteField) => ({
    ...wiring(field),
    autoComplete: 'off',
    placeholder: site[field].otherwise,
    error: problems[field] ?? null,
  });
  const chosen = (field: SiteField, label: (value: string) => string) => ({
    ...wiring(field),
    options: optionsOf(site, field, label),
  });
  return (
    <>
      <TextField
        {...typed('uploadLimit')}
        label="Largest upload"
        help={`Such as 500k, 50m or 2g; 0 is any size. nginx refuses more (413). Empty: ${uploadText(site.uploadLimit.otherwise)}.`}
      />
      <TextField
        {...typed('answerTimeout')}
        label="Wait for an answer"
        help={`Such as 120s, 5m or 1h. Where the app sends nothing for so long, visitors get an error (504). Empty: ${answerText(site.answerTimeout.otherwise)}.`}
      />
      <Select {...chosen('hsts', (value) => (sendsHsts(value) ? 'On' : 'Off'))} label="HSTS" />
      <TextField
        {...typed('hstsSeconds')}
        label="Browsers remember for"
        suffix="s"
        inputMode="numeric"
        help={`Begin with 300 to try. Empty: ${site.hstsSeconds.otherwise} s, which are ${hstsTimeText(site.hstsSeconds.otherwise)}.`}
      />
      <Select
        {...chosen('hstsSubdomains', (value) => (namesSubdomains(value) ? 'Included' : 'Left out'))}
        label="Subdomains"
      />
      {warnings.length > 0 && (
        <Banner tone="warn">
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Banner>
      )}
    </>
  );
}

/** With what is set now, where that is another text than Dokku’s own two. */
function optionsOf(site: Site, field: SiteField, label: (value: string) => string) {
  const { set, otherwise } = site[field];
  return [
    { value: '', label: `As the server has it: ${label(otherwise)}` },
    ...['true', 'false'].map((value) => ({ value, label: label(value) })),
    ...(set === null || set === 'true' || set === 'false' ? [] : [{ value: set, label: set }]),
  ];
}
