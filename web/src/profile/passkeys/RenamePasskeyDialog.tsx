import { messages } from '@homeport/contract/messages';
import type { Passkey } from '@homeport/contract/passkeys/schema';
import { useAct } from '../../data/use-api.ts';
import { RenameDialog } from '../../edit-name/RenameDialog.tsx';
import { toast } from '../../ui/feedback/toasts.ts';

/** Changes the name of a passkey here. The device keeps the name that it shows. */
export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useAct('PATCH /api/passkeys/:id', {
    onDone: () => {
      toast.ok(messages.nameUpdated);
      onClose();
    },
  });
  return (
    <RenameDialog
      title="Rename passkey"
      description="The device goes on to show its own name."
      name={passkey.name}
      busy={rename.isPending}
      error={rename.error}
      onRename={(name) => rename.mutate({ params: { id: passkey.id }, body: { name } })}
      onClose={onClose}
    />
  );
}
