import { hasOwnWildcard } from '@homeport/contract/apps/default-domain';
import { closedTexts } from '@homeport/contract/servers/closed';
import { moveServerSchema, type Server } from '@homeport/contract/servers/schema';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { fieldProblem, problemText } from '../../../data/problem-text.ts';
import { useAct, useApi } from '../../../data/use-api.ts';
import { usePointingRecords } from '../../../domains/pointing/PointingRecords.tsx';
import { openOperation } from '../../../operations/open-operation.ts';
import { classNames } from '../../../ui/class-names.ts';
import { toast } from '../../../ui/feedback/toasts.ts';
import controlsStyles from '../../../ui/form/controls.module.css';
import { TextField } from '../../../ui/form/Field.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import { EditDialog } from './EditDialog.tsx';
import { movingTexts } from './moving-texts.ts';

const { ip, port, subdomain } = moveServerSchema.shape;
const schema = z.object({ ip, port: z.coerce.number('A port is a number.').pipe(port), subdomain });

/**
 * Gives another address of the same machine, or another name under the shared suffix. The console asks for a proof of who the person is
 * where that was long ago.
 */
export function AddressDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const appDomain = useApi('GET /api/configuration').data?.appDomain ?? null;
  const form = useForm({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { ip: server.ip, port: server.port as unknown, subdomain: server.subdomain },
  });
  const newName = form.watch('ip');
  const records = usePointingRecords('server', server.id, { verb: 'change', newName });
  const act = useAct('PUT /api/servers/:id/address', {
    onDone: ({ operation }) => {
      toast.ok('Saved. The next connection compares the host key.');
      onClose();
      if (operation) openOperation(operation.id);
    },
  });
  const refused = {
    ip: fieldProblem(act.error, 'ip'),
    subdomain: fieldProblem(act.error, 'subdomain'),
  };
  const { errors, isDirty } = form.formState;
  const isElsewhere = newName !== server.ip;
  const followed = isElsewhere && closedTexts(server) === null;
  // Saved before the records are known, the move would leave them behind without a word. A look that fails says so, and holds nothing.
  const held = followed && records.looking;
  const save = (place: z.output<typeof schema>) => {
    if (held) return;
    act.mutate({
      params: { id: server.id },
      body: { version: server.version, ...place, records: followed ? records.chosen : [] },
    });
  };
  const edit = {
    keepMine: () => {},
    conflict: null,
    error: refused.ip === undefined && refused.subdomain === undefined ? act.error : null,
    saving: act.isPending,
  };
  return (
    <EditDialog
      title="Address"
      description="For another address of the same machine: the next connection compares its host key with the one that you accepted. Open connections and terminals end."
      dirty={isDirty}
      edit={edit}
      held={held ? 'The DNS records that point here are being looked for.' : null}
      show={() => []}
      onSubmit={form.handleSubmit(save)}
      onClose={onClose}
    >
      <div className={controlsStyles.pair}>
        <TextField
          label="IPv4 address"
          mono
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          help="Or an IPv6 address, or a host name."
          error={errors.ip?.message ?? refused.ip}
          {...form.register('ip')}
        />
        <TextField
          label="Port"
          mono
          autoComplete="off"
          inputMode="numeric"
          error={errors.port?.message}
          {...form.register('port')}
        />
      </div>
      {appDomain !== null && hasOwnWildcard(server) && (
        <TextField
          label="Subdomain"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          suffix={`.${appDomain}`}
          help="Free to change while no app has a domain under it. The earlier name stays reserved for you."
          error={errors.subdomain?.message ?? refused.subdomain}
          {...form.register('subdomain')}
        />
      )}
      {followed && records.offer}
      <Ties server={server} />
    </EditDialog>
  );
}

function Ties({ server }: { server: Server }) {
  const ties = useApi('GET /api/servers/:id/ties', { params: { id: server.id } });
  const small = classNames(typography.small, typography.longWords);
  return (
    <div className={classNames(layout.stack, layout.gap2)}>
      <p className={small}>
        Homeport’s own lines follow: connection strings, tunnels, git addresses and offers of DNS records. The
        agent goes on reporting. {server.ip} stays where it is named elsewhere:
      </p>
      {ties.isPending && <p className={small}>Looking what names {server.ip}…</p>}
      {ties.isError && !ties.data && (
        <p className={small}>What names it could not be read: {problemText(ties.error)}</p>
      )}
      {ties.data && (
        <ul className={small}>
          {movingTexts(server, ties.data).map((text) => (
            <li key={text}>{text}</li>
          ))}
          <li>Records in DNS, but those that are changed with this.</li>
        </ul>
      )}
    </div>
  );
}
