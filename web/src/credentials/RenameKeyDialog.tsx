import type { Key } from '@homeport/contract/credentials/schema';
import { messages } from '@homeport/contract/messages';
import { useAct } from '../data/use-api.ts';
import { RenameDialog } from '../edit-name/RenameDialog.tsx';
import { toast } from '../ui/feedback/toasts.ts';

/** Changes the name of a stored key. Nothing changes on the servers that use the key. */
export function RenameKeyDialog({
  stored,
  onClose,
}: {
  stored: Pick<Key, 'id' | 'name'>;
  onClose: () => void;
}) {
  const rename = useAct('PATCH /api/keys/:id', {
    onDone: () => {
      toast.ok(messages.nameUpdated);
      onClose();
    },
  });
  return (
    <RenameDialog
      title="Rename key"
      description="Only the name in this console changes. The key and the servers that accept it stay as they are."
      name={stored.name}
      busy={rename.isPending}
      error={rename.error}
      onRename={(name) => rename.mutate({ params: { id: stored.id }, body: { name } })}
      onClose={onClose}
    />
  );
}
