import { proxyLimits } from '@homeport/contract/proxies/facts';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { EditTextDialog } from './EditTextDialog.tsx';

export function EditSourceDialog({ proxy, onClose }: { proxy: ProxyRecord; onClose: () => void }) {
  return (
    <EditTextDialog
      proxy={proxy}
      field="source"
      title="Edit current website"
      label="Current website location"
      mono
      description="Takes every page that no rule takes."
      help="Without http:// it is read as https."
      problem={sourceProblem}
      read={(text) => text.trim()}
      saved="Website updated"
      onClose={onClose}
    />
  );
}

function sourceProblem(text: string): string | null {
  if (text.trim() === '') return 'Enter the address of your website.';
  return text.length > proxyLimits.targetLength
    ? `Use at most ${proxyLimits.targetLength} characters.`
    : null;
}
