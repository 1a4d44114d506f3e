import { type App, appSchema } from '@homeport/contract/apps/schema';
import { type RecordEdit, useRecordEdit } from '../../data/use-record-edit.ts';

/** An edit of the app. */
export const useAppEdit = <T, R>(app: App, edit: RecordEdit<App, T, R>) =>
  useRecordEdit(app, { schema: appSchema, topic: 'apps' }, edit);
