import { nameProblem } from '@homeport/contract/fields/facts';
import { messages } from '@homeport/contract/messages';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { EditTextDialog } from './EditTextDialog.tsx';

export function EditNameDialog({ proxy, onClose }: { proxy: ProxyRecord; onClose: () => void }) {
  return (
    <EditTextDialog
      proxy={proxy}
      field="name"
      title="Edit name"
      label="Name"
      description="Shown in your lists. The domain stays as it is."
      problem={nameProblem}
      read={(text) => text.trim()}
      saved={messages.nameUpdated}
      onClose={onClose}
    />
  );
}
