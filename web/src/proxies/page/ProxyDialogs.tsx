import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import type { ProxyDialog } from '../proxy-dialog.ts';
import { RuleDialog } from '../rule-list/RuleDialog.tsx';
import { DeleteDialog } from './settings/DeleteDialog.tsx';
import { EditDomainDialog } from './settings/EditDomainDialog.tsx';
import { EditNameDialog } from './settings/EditNameDialog.tsx';
import { EditSourceDialog } from './settings/EditSourceDialog.tsx';
import { PurgeDialog } from './settings/PurgeDialog.tsx';

export interface ProxyDialogsProps {
  dialog: ProxyDialog;
  proxy: ProxyRecord;
  /** The URL in the tester, which the rule dialog tries on the unsaved rule. */
  url: string;
  onClose: () => void;
}

/** One of the dialogs of a proxy's page, loaded on demand. */
export function ProxyDialogs({ dialog, proxy, url, onClose }: ProxyDialogsProps) {
  const shared = { proxy, onClose };
  switch (dialog.kind) {
    case 'add-rule':
      return <RuleDialog {...shared} rule={null} place={proxy.rules.length} url={url} />;
    case 'edit-rule':
      return <RuleDialog {...shared} rule={dialog.rule} place={dialog.place} url={url} />;
    case 'name':
      return <EditNameDialog {...shared} />;
    case 'domain':
      return <EditDomainDialog {...shared} />;
    case 'source':
      return <EditSourceDialog {...shared} />;
    case 'purge':
      return <PurgeDialog {...shared} />;
    case 'delete':
      return <DeleteDialog {...shared} />;
  }
}
