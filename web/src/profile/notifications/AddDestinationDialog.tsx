import { type AddedKind, destinationKinds } from '@homeport/contract/destinations/facts';
import { type FormEvent, useId, useReducer, useRef } from 'react';
import { useAct } from '../../data/use-api.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { Select } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import { DestinationFields } from './DestinationFields.tsx';
import { destinationForm, destinationProblems, emptyDestinationForm, targetOf } from './destination-form.ts';
import { kindTexts } from './kind-texts.ts';
import { ShownSecret } from './ShownSecret.tsx';

const kinds = destinationKinds.filter((kind): kind is AddedKind => kind !== 'email');
const options = kinds.map((kind) => ({ value: kind, label: kindTexts[kind].label }));

/** Adds a destination, and shows a webhook's secret once. */
export function AddDestinationDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const name = useRef<HTMLInputElement>(null);
  const [form, tell] = useReducer(destinationForm, emptyDestinationForm);
  const add = useAct('POST /api/destinations', {
    onDone: ({ secret, record }) => {
      if (secret !== null) return;
      toast.ok(`${record.name} added`);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tell({ type: 'sent' });
    if (Object.keys(destinationProblems(form)).length > 0) return name.current?.form?.focus();
    add.mutate({ body: { name: form.name, target: targetOf(form) } });
  };
  if (add.data && add.data.secret !== null)
    return <ShownSecret name={add.data.record.name} secret={add.data.secret} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add destination"
      description={kindTexts[form.kind].what}
      dirty={form !== emptyDestinationForm}
      initialFocus={name}
      footer={
        <SubmitButtons form={formId} onCancel={onClose} busy={add.isPending} busyLabel="Adding">
          Add
        </SubmitButtons>
      }
    >
      <form
        data-keeps="choices"
        id={formId}
        className={layout.stack}
        noValidate
        inert={add.isPending}
        onSubmit={submit}
      >
        {kinds.length > 1 && (
          <Select
            label="Kind"
            value={form.kind}
            options={options}
            onChange={(event) => {
              const kind = kinds.find((each) => each === event.currentTarget.value);
              if (kind) tell({ type: 'chosen', kind });
            }}
          />
        )}
        <DestinationFields
          form={form}
          tell={tell}
          problems={form.sent ? destinationProblems(form) : {}}
          error={add.error}
          nameField={name}
        />
      </form>
    </Dialog>
  );
}
