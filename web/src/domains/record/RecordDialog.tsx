import { caaTags, editableTypes, isProxiableType, recordTtl } from '@homeport/contract/domains/facts';
import type { DnsRecord, Zone } from '@homeport/contract/domains/schema';
import { addressKindOf } from '@homeport/contract/fields/server-address';
import { messages } from '@homeport/contract/messages';
import { type FormEvent, useId, useReducer, useState } from 'react';
import { ApiProblem } from '../../data/api-problem.ts';
import { fieldProblem, problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { SubmitKeys } from '../../ui/dialog/SubmitKeys.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { RadioCards } from '../../ui/form/Choice.tsx';
import { TextField } from '../../ui/form/Field.tsx';
import { focusFirstWrongOnceDrawn } from '../../ui/form/focus-first-wrong.ts';
import { Select } from '../../ui/form/Select.tsx';
import { Textarea } from '../../ui/form/Textarea.tsx';
import layout from '../../ui/layout/layout.module.css';
import { AddressField } from './AddressField.tsx';
import { ReplaceQuestion } from './ReplaceQuestion.tsx';
import {
  newRecordForm,
  type RecordField,
  type RecordForm,
  type RecordFormEvent,
  recordFormAfter,
  recordFormOf,
  recordInputOf,
  recordProblems,
  standingAt,
} from './record-form.ts';

interface RecordDialogProps {
  zone: Zone;
  /** The record to edit; null: a new one. */
  record: DnsRecord | null;
  /** The records of the zone, as they were read last. */
  records: readonly DnsRecord[];
  onClose: () => void;
}

/** Adds a record or edits one. Where records stand at the name of a new one already, asks what to do with them. */
export function RecordDialog({ zone, record, records, onClose }: RecordDialogProps) {
  const formId = useId();
  const servers = useApi('GET /api/servers').data ?? [];
  const [first] = useState(
    () =>
      (record ? recordFormOf(record, zone) : null) ??
      newRecordForm(servers.find(({ ip }) => addressKindOf(ip) === 'ipv4')?.ip ?? ''),
  );
  const [form, tell] = useReducer(recordFormAfter, first);
  const [standing, setStanding] = useState<readonly DnsRecord[]>([]);
  const done = (text: string) => () => {
    toast.ok(text);
    onClose();
  };
  const failed = (text: string) => (error: Error) => {
    setStanding([]);
    const fields = error instanceof ApiProblem ? Object.values(error.problem.fields ?? {}) : [];
    toast.bad(text, { detail: fields[0] ?? problemText(error) });
  };
  const add = useAct('POST /api/zones/:id/records', {
    onDone: done(messages.recordAdded),
    onFailed: failed(messages.errorAddingRecord),
  });
  const update = useAct('PATCH /api/zones/:id/records/:record', {
    onDone: done(messages.recordUpdated),
    onFailed: failed(messages.errorUpdatingRecord),
  });
  const params = { id: zone.id };
  const change = (id: string) =>
    update.mutate({ params: { ...params, record: id }, body: { record: recordInputOf(form) } });
  const addIt = (replaces: string[]) =>
    add.mutate({ params, body: { record: recordInputOf(form), replaces } });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    tell({ kind: 'sent' });
    const problems = recordProblems(form);
    if (problems.ttl) toast.bad(problems.ttl);
    if (Object.keys(problems).length > 0) return focusFirstWrongOnceDrawn(event.currentTarget);
    if (record) return change(record.id);
    const here = standingAt(form, zone, records);
    if (here.length > 0) setStanding(here);
    else addIt([]);
  };
  const error = add.error ?? update.error;
  const busy = add.isPending || update.isPending;
  return (
    <Dialog
      open
      onClose={onClose}
      title={record ? 'Edit the record' : 'Add a record'}
      description={zone.shownName}
      dirty={form !== first}
      footer={
        standing.length > 0 ? (
          <Button className={layout.atEnd} onClick={() => setStanding([])}>
            Back
          </Button>
        ) : (
          <>
            <SubmitKeys />
            <SubmitButtons
              form={formId}
              onCancel={onClose}
              busy={busy}
              busyLabel={record ? 'Saving' : 'Adding'}
            >
              {record ? 'Save record' : 'Add record'}
            </SubmitButtons>
          </>
        )
      }
    >
      {standing.length > 0 ? (
        <ReplaceQuestion form={form} standing={standing} busy={busy} onAdd={addIt} onUpdate={change} />
      ) : (
        <form
          data-keeps="choices"
          id={formId}
          className={layout.stack}
          noValidate
          inert={busy}
          onSubmit={submit}
        >
          {error && !hasFields(error) && (
            <Banner tone="bad">
              <p>{problemText(error)}</p>
            </Banner>
          )}
          <Fields form={form} tell={tell} zone={zone} fixedType={record !== null} error={error} />
        </form>
      )}
    </Dialog>
  );
}

const hasFields = (error: Error) => error instanceof ApiProblem && error.problem.fields !== undefined;

interface FieldsProps {
  form: RecordForm;
  tell: (event: RecordFormEvent) => void;
  zone: Zone;
  fixedType: boolean;
  error: Error | null;
}

function Fields({ form, tell, zone, fixedType, error }: FieldsProps) {
  const problems = form.sent ? recordProblems(form) : {};
  const proxiable = isProxiableType(form.type);
  const field = (name: RecordField, sentAs: string = name) => ({
    value: form[name],
    error: problems[name] ?? fieldProblem(error, `record.${sentAs}`),
    onChange: (event: { currentTarget: { value: string } }) =>
      tell({ kind: 'text', field: name, text: event.currentTarget.value }),
  });
  return (
    <>
      <Select
        label="Type"
        value={form.type}
        disabled={fixedType}
        options={editableTypes.map((value) => ({ value, label: value }))}
        onChange={(event) => {
          const type = editableTypes.find((each) => each === event.currentTarget.value);
          if (type) tell({ kind: 'type', type });
        }}
      />
      <TextField
        label="Name"
        autoComplete="off"
        mono
        suffix={`.${zone.shownName}`}
        help="@ is the domain itself."
        {...field('host')}
      />
      <Content form={form} tell={tell} field={field} />
      {!(proxiable && form.proxied) && (
        <TextField
          label="TTL"
          mono
          inputMode="numeric"
          autoComplete="off"
          suffix="seconds"
          help={`${recordTtl.automatic} is automatic.`}
          {...field('ttl')}
        />
      )}
      {proxiable && (
        <RadioCards
          legend="Proxied"
          value={form.proxied ? 'on' : 'off'}
          options={[
            { value: 'on', label: 'On Cloudflare', note: 'Cached, the server IP stays hidden' },
            { value: 'off', label: 'DNS Only', note: 'Answers with the server IP' },
          ]}
          error={fieldProblem(error, 'record.proxied')}
          onChange={(value) => tell({ kind: 'proxied', proxied: value === 'on' })}
        />
      )}
    </>
  );
}

interface ContentProps {
  form: RecordForm;
  tell: (event: RecordFormEvent) => void;
  field: (
    name: RecordField,
    sentAs?: string,
  ) => {
    value: string;
    error: string | undefined;
    onChange: (event: { currentTarget: { value: string } }) => void;
  };
}

/** The fields that a type has of its own. */
function Content({ form, tell, field }: ContentProps) {
  const text = { mono: true, autoComplete: 'off' };
  const number = { ...text, inputMode: 'numeric' as const };
  switch (form.type) {
    case 'A':
      return (
        <AddressField
          kind="ipv4"
          {...field('content')}
          onAddress={(address) => tell({ kind: 'text', field: 'content', text: address })}
        />
      );
    case 'AAAA':
      return (
        <AddressField
          kind="ipv6"
          {...field('content')}
          onAddress={(address) => tell({ kind: 'text', field: 'content', text: address })}
        />
      );
    case 'CNAME':
      return (
        <TextField
          label="Content"
          help="The host name that this name stands for."
          {...text}
          {...field('content')}
        />
      );
    case 'TXT':
      return <Textarea label="Content" mono rows={3} {...field('content')} />;
    case 'MX':
      return (
        <>
          <TextField label="Mail server" {...text} {...field('content')} />
          <TextField label="Priority" help="The lowest is asked first." {...number} {...field('priority')} />
        </>
      );
    case 'CAA':
      return (
        <>
          <TextField label="Flags" help="0, or 128 for critical." {...number} {...field('flags')} />
          <Select label="Tag" options={caaTags.map((value) => ({ value, label: value }))} {...field('tag')} />
          <TextField
            label="Value"
            help="The authority that may issue certificates."
            {...text}
            {...field('content', 'value')}
          />
        </>
      );
    case 'SRV':
      return (
        <>
          <TextField label="Priority" {...number} {...field('priority')} />
          <TextField label="Weight" {...number} {...field('weight')} />
          <TextField label="Port" {...number} {...field('port')} />
          <TextField label="Target" {...text} {...field('content', 'target')} />
        </>
      );
  }
}
