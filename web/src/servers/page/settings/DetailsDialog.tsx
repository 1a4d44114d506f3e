import { descriptionSchema, locationSchema, nameSchema } from '@homeport/contract/fields/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { toast } from '../../../ui/feedback/toasts.ts';
import { TextField } from '../../../ui/form/Field.tsx';
import { foundPlace } from '../../place.ts';
import { EditDialog } from './EditDialog.tsx';
import type { ServerChanges } from './stale-edit.ts';
import { useServerEdit } from './use-server-edit.ts';

const schema = z.object({ name: nameSchema, description: descriptionSchema, location: locationSchema });

const show = ({ name, description, location }: ServerChanges) => [
  { label: 'Name', value: name ?? '' },
  { label: 'Description', value: description || 'none' },
  { label: 'Location', value: location || 'as Homeport found it' },
];

export function DetailsDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const form = useForm({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { name: server.name, description: server.description, location: server.location },
  });
  const edit = useServerEdit(server, () => {
    toast.ok('Details saved');
    onClose();
  });
  const { errors, isDirty } = form.formState;
  const found = foundPlace(server);
  return (
    <EditDialog
      title="Name, description, location"
      dirty={isDirty}
      edit={edit}
      show={show}
      onSubmit={form.handleSubmit(edit.save)}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" error={errors.name?.message} {...form.register('name')} />
      <TextField
        label="Description"
        optional
        autoComplete="off"
        help="What it is for, in your words."
        error={errors.description?.message}
        {...form.register('description')}
      />
      <TextField
        label="Location"
        optional
        autoComplete="off"
        help={
          found === null
            ? 'City, country or provider, in your words.'
            : `In your words. Without any: ${found}, as Homeport found it.`
        }
        error={errors.location?.message}
        {...form.register('location')}
      />
    </EditDialog>
  );
}
