import type { App } from '@homeport/contract/apps/schema';
import { PromoteDialog, UnlinkDialog } from '../links/ChangeLinkDialogs.tsx';
import { LinkDatabaseDialog } from '../links/LinkDialog.tsx';
import type { AppDatabaseDialog } from './app-database-dialog.ts';

export interface AppDatabaseDialogsProps {
  dialog: AppDatabaseDialog;
  app: App;
  onClose: () => void;
}

/** One of the dialogs of an app's databases, loaded on demand. */
export function AppDatabaseDialogs({ dialog, app, onClose }: AppDatabaseDialogsProps) {
  switch (dialog.kind) {
    case 'link':
      return <LinkDatabaseDialog app={app} onClose={onClose} />;
    case 'unlink':
      return <UnlinkDialog database={dialog.database} link={dialog.link} app={app} onClose={onClose} />;
    case 'promote':
      return <PromoteDialog database={dialog.database} link={dialog.link} app={app} onClose={onClose} />;
  }
}
