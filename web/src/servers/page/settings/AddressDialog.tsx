import { moveServerSchema, type Server } from '@homeport/contract/servers/schema';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { fieldProblem } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { classNames } from '../../../ui/class-names.ts';
import { toast } from '../../../ui/feedback/toasts.ts';
import controlsStyles from '../../../ui/form/controls.module.css';
import { TextField } from '../../../ui/form/Field.tsx';
import typography from '../../../ui/text/typography.module.css';
import { EditDialog } from './EditDialog.tsx';

const { ip, port } = moveServerSchema.shape;
const schema = z.object({ ip, port: z.coerce.number('A port is a number.').pipe(port) });

/** Gives another address of the same machine. The console asks for a proof of who the person is where that was long ago. */
export function AddressDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const form = useForm({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { ip: server.ip, port: server.port as unknown },
  });
  const act = useAct('PUT /api/servers/:id/address', {
    onDone: () => {
      toast.ok('Address changed. The next connection compares the host key.');
      onClose();
    },
  });
  const refused = fieldProblem(act.error, 'ip');
  const { errors, isDirty } = form.formState;
  const save = (place: z.output<typeof schema>) =>
    act.mutate({ params: { id: server.id }, body: { version: server.version, ...place } });
  const edit = {
    keepMine: () => {},
    conflict: null,
    error: refused === undefined ? act.error : null,
    saving: act.isPending,
  };
  return (
    <EditDialog
      title="Address"
      description="For another address of the same machine: the next connection compares its host key with the one that you accepted."
      dirty={isDirty}
      edit={edit}
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
          error={errors.ip?.message ?? refused}
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
      <p className={classNames(typography.small, typography.longWords)}>
        What names {server.ip} elsewhere stays as it is until you change it: DNS records, domains that contain
        it, the git remotes of your checkouts, and deployments from GitHub.
      </p>
    </EditDialog>
  );
}
