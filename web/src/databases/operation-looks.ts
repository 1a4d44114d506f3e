import type { OperationLook } from '../operations/operation-look.ts';

/** The window stays until the creation ends. */
export const databaseCreationLook: OperationLook = {
  locked: true,
  titleOf: ({ state, longname, serverName }) =>
    state === 'succeeded' ? `${longname} is created` : `Creating ${longname} on ${serverName}`,
  descriptionOf: ({ state }) =>
    state === 'succeeded'
      ? 'Link it to an app: the app then gets the connection string in a variable.'
      : 'This window stays until the database is ready. The work goes on if the connection drops.',
  okHint: 'OK opens the database once it is finished',
  onOk: ({ longname }, go) => {
    if (longname) go(`/databases/${encodeURIComponent(longname)}`);
  },
};

/** The deletion also removes the database's page, so OK leads to the list. */
export const databaseDeletionLook: OperationLook = {
  titleOf: ({ state, longname, serverName }) =>
    state === 'succeeded' ? `${longname} is deleted` : `Deleting ${longname} on ${serverName}`,
  onOk: (_operation, go) => go('/databases'),
};
