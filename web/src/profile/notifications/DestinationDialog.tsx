import type { Destination } from '@homeport/contract/destinations/schema';
import { type FormEvent, useId, useReducer, useState } from 'react';
import { orSentence, problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { Switch } from '../../ui/form/Choice.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Deliveries } from './Deliveries.tsx';
import { DestinationFields } from './DestinationFields.tsx';
import {
  destinationForm,
  destinationProblems,
  emptyDestinationForm,
  keepsTarget,
  targetOf,
} from './destination-form.ts';
import { Escalation } from './Escalation.tsx';
import { HourlyLimit } from './HourlyLimit.tsx';
import { LinkChat } from './LinkChat.tsx';
import { QuietHours } from './QuietHours.tsx';
import { ShownSecret } from './ShownSecret.tsx';
import type { BrowserState } from './this-browser/browser-state.ts';
import { turnOff } from './this-browser/push-device.ts';
import { forgetLast } from './this-browser/remembered.ts';
import { ThisBrowser } from './this-browser/ThisBrowser.tsx';

interface Props {
  destination: Destination;
  /** Of a browser: what it is to this one, once that is known. */
  browser?: BrowserState | undefined;
  onClose: () => void;
}

type Layer = 'none' | 'remove' | 'replace';

/** One destination: what was sent there, a test, and its settings. */
export function DestinationDialog({ destination, browser, onClose }: Props) {
  const { id, kind, name, state, problem } = destination;
  const [layer, setLayer] = useState<Layer>('none');
  const remove = useAct('DELETE /api/destinations/:id', {
    onDone: () => {
      toast.ok(`${name} removed`);
      // The console sends nothing there any more, whatever becomes of the browser's own part.
      if (forgetLast(id)) turnOff().catch(() => undefined);
    },
  });
  const replace = useAct('POST /api/destinations/:id/secret');
  if (replace.data && replace.data.secret !== null)
    return <ShownSecret name={name} secret={replace.data.secret} onClose={() => replace.reset()} />;
  return (
    <Dialog open onClose={onClose} size="wide" title={name} description={destination.shown}>
      <div className={classNames(layout.stack, layout.gap5)}>
        {problem !== null && (
          <Banner tone={state === 'broken' ? 'bad' : 'warn'}>
            <p>{problem}</p>
          </Banner>
        )}
        {kind === 'telegram' && <LinkChat destination={destination} />}
        {browser !== undefined && <ThisBrowser destination={destination} browser={browser} />}
        <Deliveries destination={destination} isLeaving={remove.isPending || remove.isSuccess} />
        <QuietHours destination={destination} />
        <HourlyLimit destination={destination} />
        <Escalation destination={destination} />
        {kind !== 'email' && (
          <>
            <Settings destination={destination} />
            <div className={classNames(layout.row, layout.wrap, layout.gap2)}>
              {kind === 'webhook' && (
                <Button size="sm" icon="key" onClick={() => setLayer('replace')}>
                  Replace secret
                </Button>
              )}
              <Button size="sm" variant="danger-quiet" icon="trash" onClick={() => setLayer('remove')}>
                Remove destination
              </Button>
            </div>
          </>
        )}
      </div>
      <ConfirmDialog
        open={layer === 'replace'}
        onClose={() => setLayer('none')}
        title={`Replace the secret of ${name}?`}
        description="The new secret is shown once. For a day messages carry the signatures of both, so that your program can change in between."
        action="Replace secret"
        busyLabel="Replacing"
        onConfirm={() => orSentence(replace.mutateAsync({ params: { id } }))}
      />
      <ConfirmDialog
        open={layer === 'remove'}
        onClose={() => setLayer('none')}
        title={`Remove ${name}?`}
        description="Nothing is sent there any more, and the list of its messages goes."
        action="Remove destination"
        busyLabel="Removing"
        onConfirm={() => orSentence(remove.mutateAsync({ params: { id } }))}
      />
    </Dialog>
  );
}

/** The switch, the name and another target. */
function Settings({ destination }: { destination: Destination }) {
  const { id, version, name, kind, state } = destination;
  const formId = useId();
  const begun = { ...emptyDestinationForm, name, kind: kind === 'email' ? 'webhook' : kind };
  const [form, tell] = useReducer(destinationForm, begun);
  const change = useAct('PATCH /api/destinations/:id');
  const turn = useAct('PATCH /api/destinations/:id', {
    onFailed: (error) => toast.bad(problemText(error)),
  });
  const { name: nameProblem, ...others } = destinationProblems(form);
  const problems = {
    ...(nameProblem !== undefined && { name: nameProblem }),
    ...(!keepsTarget(form) && others),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    tell({ type: 'sent' });
    if (Object.keys(problems).length > 0) return;
    change.mutate(
      {
        params: { id },
        body: { version, name: form.name, ...(!keepsTarget(form) && { target: targetOf(form) }) },
      },
      { onSuccess: () => toast.ok(`${form.name.trim()} saved`) },
    );
  };
  return (
    <div className={classNames(layout.stack, layout.gap4)}>
      <Switch
        label="Send news there"
        checked={turn.isPending ? state !== 'on' : state === 'on'}
        onChange={(event) =>
          turn.mutate({ params: { id }, body: { version, on: event.currentTarget.checked } })
        }
      />
      <form id={formId} className={layout.stack} noValidate inert={change.isPending} onSubmit={submit}>
        <DestinationFields
          form={form}
          tell={tell}
          problems={form.sent ? problems : {}}
          error={change.error}
          keepsTarget
        />
        <div>
          <Button size="sm" type="submit" busy={change.isPending} busyLabel="Saving">
            Save
          </Button>
        </div>
      </form>
    </div>
  );
}
