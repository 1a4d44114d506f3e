import type { ExposureOffer } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useReducer, useRef, useState } from 'react';
import { callOnServer } from '../../../connections/call-on-server.ts';
import { fieldProblem } from '../../../data/problem-text.ts';
import { onServerKey } from '../../../data/query-keys.ts';
import { useAct } from '../../../data/use-api.ts';
import { ServerRead } from '../../../on-server/ServerRead.tsx';
import { accessTo, answerOf } from '../../../on-server/server-answer.ts';
import { useConnect } from '../../../on-server/use-connect.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { RadioCards } from '../../../ui/form/Choice.tsx';
import { TextField } from '../../../ui/form/Field.tsx';
import { focusFirstWrongOnceDrawn } from '../../../ui/form/focus-first-wrong.ts';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import { whoReaches } from '../connect/outside-text.ts';
import type { DatabasePlace } from '../database-place.ts';
import { ExposeWarning } from './ExposeWarning.tsx';
import {
  type ExposeEvent,
  type ExposeForm,
  exposeFormAfter,
  exposeFormOf,
  portProblems,
  portsOf,
} from './expose-form.ts';

interface ExposeDialogProps {
  place: DatabasePlace;
  onClose: () => void;
}

/** Opens ports of the server that lead to the database. The server first names its addresses and free ports. */
export function ExposeDialog({ place, onClose }: ExposeDialogProps) {
  const { database, server } = place;
  const client = useQueryClient();
  const query = useQuery({
    queryKey: onServerKey('GET /api/databases/:id/exposure', database.id),
    queryFn: ({ signal }) =>
      callOnServer(
        client,
        'GET /api/databases/:id/exposure',
        { params: { id: database.id } },
        { quiet: true, signal },
      ),
    refetchInterval: false,
    refetchOnWindowFocus: false,
    // Ports are free now, not later.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const connect = useConnect(server, query.refetch);
  if (query.data) return <ExposeChoice place={place} offer={query.data} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Expose ${database.name}`}
      description={`The server names its addresses and free ports first.`}
      footer={
        <Button className={layout.atEnd} onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <ServerRead
        state={answerOf(query, accessTo(server))}
        connect={connect}
        what="its addresses and free ports"
      >
        {() => null}
      </ServerRead>
    </Dialog>
  );
}

function ExposeChoice({ place, offer, onClose }: ExposeDialogProps & { offer: ExposureOffer }) {
  const { database } = place;
  const formId = useId();
  const cancel = useRef<HTMLButtonElement>(null);
  const [first] = useState(() => exposeFormOf(offer));
  const [form, tell] = useReducer(exposeFormAfter, first);
  const expose = useAct('POST /api/databases/:id/expose', {
    onDone: (operation) => {
      onClose();
      openOperation(operation.id);
    },
    // The refusal stands beside the ports.
    onFailed: () => tell({ type: 'back' }),
  });
  const asks = form.step === 'ask';
  useEffect(() => {
    if (asks) cancel.current?.focus();
  }, [asks]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const next = exposeFormAfter(form, { type: 'send' });
    tell({ type: 'send' });
    const hostPorts = portsOf(form);
    // The first sending of the public address only asks.
    if (hostPorts === null) focusFirstWrongOnceDrawn(event.currentTarget);
    if (hostPorts === null || (next.step === 'ask' && !asks)) return;
    expose.mutate({ params: { id: database.id }, body: { address: form.address, hostPorts } });
  };
  return (
    <Dialog
      open
      alert={asks}
      dirty={form !== first && !expose.isPending}
      onClose={onClose}
      title={asks ? `Open ${database.name} to everybody?` : `Expose ${database.name}`}
      description={
        asks
          ? 'Read what this opens before you do it.'
          : 'Opens ports of the server that lead to the database. Linked apps do not need this.'
      }
      footer={
        <>
          <Button
            ref={cancel}
            className={layout.atEnd}
            onClick={asks ? () => tell({ type: 'back' }) : onClose}
          >
            {asks ? 'Back' : 'Cancel'}
          </Button>
          <Button
            type="submit"
            form={formId}
            variant={asks ? 'danger' : 'primary'}
            busy={expose.isPending}
            busyLabel="Exposing"
          >
            {asks ? 'Expose to everybody' : 'Expose'}
          </Button>
        </>
      }
    >
      <form
        data-keeps="choices"
        id={formId}
        className={layout.stack}
        noValidate
        inert={expose.isPending}
        onSubmit={submit}
      >
        {expose.error && <ProblemBanner error={expose.error}>Nothing was opened.</ProblemBanner>}
        {asks ? (
          <ExposeWarning place={place} hostPorts={portsOf(form) ?? []} />
        ) : (
          <Fields place={place} offer={offer} form={form} tell={tell} error={expose.error} />
        )}
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  place: DatabasePlace;
  offer: ExposureOffer;
  form: ExposeForm;
  tell: (event: ExposeEvent) => void;
  error: Error | null;
}

const everywhere = 'everywhere';

function Fields({ place: { database, server }, offer, form, tell, error }: FieldsProps) {
  const { ports } = databaseTypeOf(database.type);
  const problems = form.checked ? portProblems(form) : [];
  return (
    <>
      <RadioCards
        legend="Who reaches it"
        stacked
        value={form.address ?? everywhere}
        error={fieldProblem(error, 'address')}
        options={offer.addresses.map(({ address, kind }) => ({
          value: address ?? everywhere,
          label: kindLabels[kind] + (kind === 'private' && address?.includes(':') ? ' over IPv6' : ''),
          note: address ?? `${server.ip} and every other address of ${server.name}`,
        }))}
        onChange={(value) => tell({ type: 'address', address: value === everywhere ? null : value })}
      />
      {offer.ports.map(({ containerPort }, index) => (
        <TextField
          key={containerPort}
          label={`Port of ${server.name} for ${containerPort}`}
          mono
          inputMode="numeric"
          autoComplete="off"
          value={form.hostPorts[index] ?? ''}
          error={
            problems[index] ?? fieldProblem(error, `hostPorts.${index}`) ?? fieldProblem(error, 'hostPorts')
          }
          help={`For ${ports.find(({ number }) => number === containerPort)?.purpose ?? 'clients'}. Nothing listened on it when the server was asked.`}
          onChange={(event) => tell({ type: 'port', index, text: event.currentTarget.value })}
        />
      ))}
      <p className={classNames(typography.small, typography.muted)}>
        {form.address === null
          ? 'This opens the port on every interface of the server, past its firewall. You are asked again.'
          : isLoopbackAddress(form.address)
            ? 'Only programs on the server itself reach it, and you through an SSH tunnel.'
            : whoReaches(form.address)}
      </p>
    </>
  );
}

const kindLabels: Record<ExposureOffer['addresses'][number]['kind'], string> = {
  loopback: 'Programs on the server',
  private: 'The private network',
  everywhere: 'Everybody',
};
