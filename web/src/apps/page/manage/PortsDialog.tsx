import type { AppPorts, PortMapping } from '@homeport/contract/apps/settings-schema';
import { type FormEvent, useId, useState } from 'react';
import { useAct } from '../../../data/use-api.ts';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { openOperation } from '../../../operations/open-operation.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { SubmitButtons } from '../../../ui/dialog/SubmitButtons.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { Checkbox } from '../../../ui/form/Choice.tsx';
import definitionsStyles from '../../../ui/layout/definitions.module.css';
import layout from '../../../ui/layout/layout.module.css';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import { leftPortSentences, portsInWords, portText } from './port-texts.ts';

/** Moves an app to port 80, and to 443 with a certificate. Says what the old address shows from then on. */
export function PortsDialog({ place, onClose }: { place: AppPlace; onClose: () => void }) {
  const { app, connect } = place;
  const formId = useId();
  const [keep, setKeep] = useState(false);
  const { state } = useOnServer('GET /api/apps/:id/ports', place, null);
  const change = useAct('POST /api/apps/:id/ports', {
    onDone: (operation) => {
      onClose();
      openOperation(operation.id);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (state.kind === 'ready') change.mutate({ params: { id: app.id }, body: { keep } });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Serve ${app.name} on port 80`}
      description="Browsers ask on port 80, and on 443 for HTTPS. Dokku reloads nginx; the app does not restart."
      footer={
        <SubmitButtons
          form={formId}
          onCancel={onClose}
          disabled={state.kind !== 'ready'}
          busy={change.isPending}
          busyLabel="Changing"
        >
          Serve on port 80
        </SubmitButtons>
      }
    >
      <form id={formId} className={layout.stack} inert={change.isPending} onSubmit={submit}>
        {change.error && <ProblemBanner error={change.error} />}
        <ServerRead state={state} connect={connect} what="the app’s ports" rows={3}>
          {(ports) => <PortChange ports={ports} keep={keep} onKeep={setKeep} />}
        </ServerRead>
      </form>
    </Dialog>
  );
}

interface PortChangeProps {
  ports: AppPorts;
  keep: boolean;
  onKeep: (keep: boolean) => void;
}

function PortChange({ ports, keep, onKeep }: PortChangeProps) {
  const { now, web } = ports;
  const left = now.filter(({ hostPort }) => !web.some((each) => each.hostPort === hostPort));
  const warnings = keep ? [] : leftPortSentences(ports);
  return (
    <>
      <dl className={definitionsStyles.list}>
        <dt>Now</dt>
        <dd>
          <Mappings mappings={now} />
        </dd>
        <dt>Then</dt>
        <dd>
          <Mappings mappings={keep ? [...web, ...left] : web} />
        </dd>
      </dl>
      {left.length > 0 && (
        <Checkbox
          checked={keep}
          onChange={(event) => onKeep(event.currentTarget.checked)}
          label={`Keep ${portsInWords(left.map(({ hostPort }) => hostPort))} too`}
        />
      )}
      {warnings.length > 0 && (
        <Banner tone="warn">
          {warnings.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Banner>
      )}
    </>
  );
}

function Mappings({ mappings }: { mappings: readonly PortMapping[] }) {
  if (mappings.length === 0) return 'none';
  return (
    <ul className={classNames(layout.stack, layout.gap2)}>
      {mappings.map((mapping) => (
        <li key={`${mapping.scheme} ${mapping.hostPort}`}>{portText(mapping)}</li>
      ))}
    </ul>
  );
}
