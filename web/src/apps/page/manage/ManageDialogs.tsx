import type { AppPlace } from '../../on-server/app-place.ts';
import { SiteDialog } from '../site/SiteDialog.tsx';
import { AddStorageDialog } from './AddStorageDialog.tsx';
import { DestroyDialog, type DestroyDialogProps } from './DestroyDialog.tsx';
import { AddDomainDialog, RemoveDomainDialog } from './DomainDialogs.tsx';
import { HttpsDialog } from './HttpsDialog.tsx';
import type { ManageDialog } from './manage-dialog.ts';
import { PortsDialog } from './PortsDialog.tsx';
import { RepositoryDialog } from './RepositoryDialog.tsx';

export interface ManageDialogsProps {
  dialog: ManageDialog;
  place: AppPlace;
  destroy: DestroyDialogProps['destroy'];
  onClose: () => void;
}

/** One of the dialogs of Manage App, loaded on demand. */
export function ManageDialogs({ dialog, place, destroy, onClose }: ManageDialogsProps) {
  const { app, server } = place;
  switch (dialog.kind) {
    case 'add-domain':
      return <AddDomainDialog app={app} onClose={onClose} />;
    case 'remove-domain':
      return <RemoveDomainDialog app={app} domain={dialog.domain} onClose={onClose} />;
    case 'https':
      return <HttpsDialog app={app} onClose={onClose} />;
    case 'ports':
      return <PortsDialog place={place} onClose={onClose} />;
    case 'site':
      return <SiteDialog place={place} site={dialog.site} onClose={onClose} />;
    case 'storage':
      return <AddStorageDialog place={place} onClose={onClose} />;
    case 'repository':
      return <RepositoryDialog app={app} server={server} onClose={onClose} />;
    case 'destroy':
      return <DestroyDialog place={place} destroy={destroy} onClose={onClose} />;
  }
}
