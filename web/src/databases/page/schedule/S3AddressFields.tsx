import { backupClient, type S3Field } from '@homeport/contract/backups/facts';
import type { ServerSchedule } from '@homeport/contract/backups/schema';
import { problemText } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { CodeLine } from '../../../ui/button/CodeLine.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import { PasswordField, TextField } from '../../../ui/form/Field.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import type { DatabasePlace } from '../database-place.ts';
import { readTarget, type ScheduleEvent, type ScheduleForm } from './schedule-form.ts';

interface S3AddressFieldsProps {
  place: DatabasePlace;
  told: Extract<ServerSchedule, { kind: 'told' }>;
  form: ScheduleForm;
  tell: (event: ScheduleEvent) => void;
  problem: (field: string) => string | undefined;
}

const fieldNames: Record<S3Field, string> = {
  endpoint: 'target.endpoint',
  region: 'target.region',
  bucket: 'target.bucket',
  prefix: 'target.prefix',
  accessKey: 'target.keys.accessKey',
  secret: 'target.keys.secret',
};

/** Where copies go. The secrets pass to the server, and are never shown again. */
export function S3AddressFields(props: S3AddressFieldsProps) {
  const { form, tell, problem } = props;
  const field = (name: S3Field) => ({
    value: form.s3[name],
    error: problem(fieldNames[name]) ?? (name === 'secret' ? problem('target.keys') : undefined),
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      tell({ type: 's3', field: name, text: event.currentTarget.value }),
  });
  const kept = form.keysKept ? 'Kept on the server. Leave it empty to keep it.' : 'Kept on the server alone.';
  return (
    <>
      <ClientState {...props} />
      <TextField
        {...field('endpoint')}
        label="Endpoint"
        mono
        type="url"
        help={endpointHelp(form.s3.endpoint)}
      />
      <TextField
        {...field('region')}
        label="Region"
        mono
        help="us-east-1 where the service has no regions."
      />
      <TextField {...field('bucket')} label="Bucket" mono help="It has to exist already." />
      <TextField
        {...field('prefix')}
        label="Prefix"
        optional
        mono
        help="Folders in the bucket, such as backups/shop."
      />
      <TextField {...field('accessKey')} label="Access key" optional={form.keysKept} mono help={kept} />
      <PasswordField
        {...field('secret')}
        label="Secret"
        optional={form.keysKept}
        mono
        secret="secret"
        help={kept}
      />
      <Trial {...props} />
    </>
  );
}

const endpointHelp = (endpoint: string) =>
  endpoint.startsWith('http:')
    ? 'Without encryption: whoever sees the traffic reads the backups. Use https outside of a private network.'
    : 'The address of the service, without the bucket.';

/** Whether the server has the client, and how to get it there. */
function ClientState({ place: { database, server }, told }: S3AddressFieldsProps) {
  const install = useAct('POST /api/databases/:id/backup-client', {
    onDone: (operation) => openOperation(operation.id),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  if (told.client) return null;
  if (told.installer === null)
    return (
      <Banner tone="warn">
        <p>
          {server.name} has no {backupClient}, and none of its accounts here can become root. Somebody with
          root can run:
        </p>
        <CodeLine text={`sudo apt-get install ${backupClient}`} what="command" wrap />
      </Banner>
    );
  return (
    <Banner
      tone="warn"
      action={
        <Button
          size="sm"
          icon="download"
          busy={install.isPending}
          busyLabel="Beginning"
          onClick={() => install.mutate({ params: { id: database.id } })}
        >
          Install {backupClient}
        </Button>
      }
    >
      <p>
        Copies need {backupClient}, which {server.name} does not have. This installs it from the server’s own
        distribution, as root, through the login{' '}
        <span className={typography.monospace}>{told.installer}</span>.
      </p>
    </Banner>
  );
}

/** Tries the address as typed, and shows the service's own reason. */
function Trial({ place: { database, server }, told, form, tell }: S3AddressFieldsProps) {
  const check = useAct('POST /api/databases/:id/schedule/check');
  const { target, problems } = readTarget(form);
  const begin = () => {
    if (Object.keys(problems).length > 0) tell({ type: 'send' });
    else check.mutate({ params: { id: database.id }, body: { target } });
  };
  const answer = check.isPending ? null : check.data;
  return (
    <div className={classNames(layout.stack, layout.gap2)}>
      <div className={classNames(layout.row, layout.wrap, layout.gap3)}>
        <Button
          size="sm"
          icon="refresh"
          busy={check.isPending}
          busyLabel="Trying"
          disabledReason={told.client ? null : `${server.name} has no ${backupClient} yet.`}
          onClick={begin}
        >
          Try this address
        </Button>
        <span className={classNames(typography.small, typography.muted)}>
          {server.name} writes a small object there and removes it.
        </span>
      </div>
      <div aria-live="polite">
        {answer?.kind === 'works' && (
          <Banner tone="ok">{server.name} may write there and remove what it wrote.</Banner>
        )}
        {answer?.kind === 'refused' && (
          <Banner tone="bad">
            <p>
              {answer.step === 'write'
                ? 'The object could not be written'
                : 'The object was written and could not be removed'}
              . The service says: {answer.text}
            </p>
          </Banner>
        )}
        {check.error && <Banner tone="bad">{problemText(check.error)}</Banner>}
      </div>
    </div>
  );
}
