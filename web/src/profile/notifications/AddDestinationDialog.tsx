import { type AddedKind, destinationKinds } from '@homeport/contract/destinations/facts';
import { type FormEvent, useId, useReducer, useRef, useState } from 'react';
import { useAct } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../ui/dialog/SubmitButtons.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { RadioCards } from '../../ui/form/Choice.tsx';
import layout from '../../ui/layout/layout.module.css';
import { DestinationFields } from './DestinationFields.tsx';
import { destinationForm, destinationProblems, emptyDestinationForm, targetOf } from './destination-form.ts';
import { kindLabels } from './kind-labels.ts';
import { kindTexts } from './kind-texts.ts';
import { ShownSecret } from './ShownSecret.tsx';
import { AddThisBrowser } from './this-browser/AddThisBrowser.tsx';

const options = destinationKinds
  .filter((kind): kind is AddedKind => kind !== 'email')
  .map((kind) => ({
    value: kind,
    label: kind === 'web-push' ? 'This browser' : kindLabels[kind],
    note: kindTexts[kind].what,
  }));

type Step = 'kind' | 'target';

interface Props {
  onClose: () => void;
  /** Opens a destination that is not complete yet. */
  onOpen: (id: string) => void;
}

/** Adds a destination: first its kind, then what the kind needs. Shows a webhook's secret once. */
export function AddDestinationDialog({ onClose, onOpen }: Props) {
  const formId = useId();
  const name = useRef<HTMLInputElement>(null);
  const [step, setStep] = useState<Step>('kind');
  const [form, tell] = useReducer(destinationForm, emptyDestinationForm);
  const add = useAct('POST /api/destinations', {
    onDone: ({ secret, record }) => {
      if (secret !== null) return;
      toast.ok(`${record.name} added`);
      if (record.kind === 'telegram') onOpen(record.id);
      else onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step === 'kind') return setStep('target');
    tell({ type: 'sent' });
    if (Object.keys(destinationProblems(form)).length > 0) return name.current?.form?.focus();
    add.mutate({ body: { name: form.name, target: targetOf(form) } });
  };
  if (add.data && add.data.secret !== null)
    return <ShownSecret name={add.data.record.name} secret={add.data.secret} onClose={onClose} />;
  if (step === 'target' && form.kind === 'web-push')
    return <AddThisBrowser onBack={() => setStep('kind')} onClose={onClose} />;
  return (
    <Dialog
      key={step}
      open
      onClose={onClose}
      title={step === 'kind' ? 'Add destination' : `Add destination: ${kindLabels[form.kind]}`}
      description={step === 'kind' ? 'Where do you want to be notified?' : kindTexts[form.kind].what}
      dirty={form !== emptyDestinationForm}
      {...(step === 'target' && { initialFocus: name })}
      footer={
        <>
          {step === 'target' && <Button onClick={() => setStep('kind')}>Back</Button>}
          <SubmitButtons form={formId} onCancel={onClose} busy={add.isPending} busyLabel="Adding">
            {step === 'kind' ? 'Continue' : 'Add'}
          </SubmitButtons>
        </>
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
        {step === 'kind' ? (
          <RadioCards
            legend="Kind"
            hideLegend
            stacked
            value={form.kind}
            options={options}
            onChange={(kind) => tell({ type: 'chosen', kind })}
          />
        ) : (
          <DestinationFields
            form={form}
            tell={tell}
            problems={form.sent ? destinationProblems(form) : {}}
            error={add.error}
            nameField={name}
          />
        )}
      </form>
    </Dialog>
  );
}
