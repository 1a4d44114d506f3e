import { usernameSchema } from '@homeport/contract/fields/schema';
import { credentialSchema, type Server } from '@homeport/contract/servers/schema';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { useApi } from '../../../data/use-api.ts';
import { credentialOptions, noCredential } from '../../../keys/credential-options.ts';
import { useHeldKeys } from '../../../keys/keystore/use-held-keys.ts';
import { toast } from '../../../ui/feedback/toasts.ts';
import { TextField } from '../../../ui/form/Field.tsx';
import { Select } from '../../../ui/form/Select.tsx';
import { EditDialog } from './EditDialog.tsx';
import type { ServerChanges } from './stale-edit.ts';
import { useAccountUpdate } from './use-account-update.ts';
import { useServerEdit } from './use-server-edit.ts';

const schema = z.object({
  credential: z
    .string()
    .transform((chosen) => (chosen === noCredential ? null : chosen))
    .pipe(credentialSchema.nullable()),
  username: usernameSchema,
});

/** Edits the key or password and the account with which the console manages a server. */
export function CredentialDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const keys = useApi('GET /api/keys').data ?? [];
  const held = useHeldKeys().data?.held;
  const form = useForm({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: {
      credential: server.credential ?? noCredential,
      username: server.username,
    },
  });
  const account = useAccountUpdate(server.id);
  const edit = useServerEdit(server, (saved) => {
    toast.ok('Management credential changed');
    onClose();
    // Homeport's own account on the server still accepts the earlier key.
    if (saved.accountKey !== null && saved.credential !== null && server.credential !== saved.credential)
      account.start();
  });
  const chosen = form.watch('credential');
  const { errors, isDirty } = form.formState;

  const nameOf = (credential: string | null) =>
    credential === null
      ? 'None: read-only'
      : credential === 'password'
        ? 'Password'
        : (keys.find((key) => key.id === credential)?.name ?? 'A key that was removed');
  const show = ({ credential = '', username = '' }: ServerChanges) => [
    { label: 'Credential', value: nameOf(credential) },
    { label: 'Username', value: username },
  ];
  const offered = credentialOptions(keys, held);
  const present = server.credential ?? noCredential;
  const options = offered.some(({ value }) => value === present)
    ? offered
    : [...offered, { value: present, label: nameOf(server.credential) }];
  const help =
    chosen === noCredential
      ? 'Homeport then shows this server and can do nothing on it. What it put on the machine stays there.'
      : chosen === 'password'
        ? 'Asked for when a connection is opened, used once, never kept.'
        : held?.has(chosen)
          ? 'This browser holds its private key.'
          : 'This browser does not hold its private key. Once you save, every action from here asks for it until you import it under Credentials; browsers that hold it go on.';
  return (
    <EditDialog
      title="Management credential"
      description="Open connections to this server are closed; the next action connects with what you choose here."
      dirty={isDirty}
      edit={edit}
      show={show}
      onSubmit={form.handleSubmit(edit.save)}
      onClose={onClose}
    >
      <Select
        label="Credential"
        help={help}
        error={errors.credential?.message}
        options={options}
        {...form.register('credential')}
      />
      <TextField
        label="Username"
        mono
        autoComplete="off"
        placeholder="root"
        error={errors.username?.message}
        {...form.register('username')}
      />
    </EditDialog>
  );
}
