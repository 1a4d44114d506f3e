import { useApi } from '../../data/use-api.ts';
import { PromoteDialog, UnlinkDialog } from '../links/ChangeLinkDialogs.tsx';
import { LinkAppDialog } from '../links/LinkDialog.tsx';
import { DeleteDumpDialog, RestoreDialog, TestDumpDialog } from './backups/DumpDialogs.tsx';
import type { DatabaseDialog } from './database-dialog.ts';
import type { DatabasePlace } from './database-place.ts';
import { RemoveScheduleDialog } from './schedule/RemoveScheduleDialog.tsx';
import { ScheduleDialog } from './schedule/ScheduleDialog.tsx';
import { DeleteDialog } from './settings/DeleteDialog.tsx';
import { EditDatabaseNameDialog } from './settings/EditDatabaseNameDialog.tsx';
import { ExposeDialog } from './settings/ExposeDialog.tsx';
import { StopDialog, UnexposeDialog } from './settings/StopDialogs.tsx';

export interface DatabaseDialogsProps {
  dialog: DatabaseDialog;
  place: DatabasePlace;
  onClose: () => void;
}

/** One of the dialogs of a database's page, loaded on demand. */
export function DatabaseDialogs({ dialog, place, onClose }: DatabaseDialogsProps) {
  const apps = useApi('GET /api/apps').data;
  const common = { database: place.database, onClose };
  const appOf = (id: string | null) => apps?.find((app) => app.id === id);
  switch (dialog.kind) {
    case 'name':
      return <EditDatabaseNameDialog {...common} />;
    case 'link':
      return <LinkAppDialog {...common} />;
    case 'unlink':
      return <UnlinkDialog {...common} link={dialog.link} app={appOf(dialog.link.appId)} />;
    case 'promote':
      return <PromoteDialog {...common} link={dialog.link} app={appOf(dialog.link.appId)} />;
    case 'expose':
      return <ExposeDialog place={place} onClose={onClose} />;
    case 'unexpose':
      return <UnexposeDialog {...common} />;
    case 'stop':
      return <StopDialog {...common} />;
    case 'restore':
      return <RestoreDialog {...common} dump={dialog.dump} />;
    case 'test-dump':
      return <TestDumpDialog {...common} dump={dialog.dump} />;
    case 'delete-dump':
      return <DeleteDumpDialog {...common} dump={dialog.dump} />;
    case 'schedule':
      return <ScheduleDialog place={place} told={dialog.told} onClose={onClose} />;
    case 'remove-schedule':
      return <RemoveScheduleDialog {...common} />;
    case 'delete':
      return <DeleteDialog {...common} />;
  }
}
