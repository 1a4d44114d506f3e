import { mayHaveLeftRemains } from '@homeport/contract/databases/remains';
import type { Operation } from '@homeport/contract/operations/schema';
import type { OperationLook } from '../operations/operation-look.ts';
import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import { RemoveRemains } from './RemoveRemains.tsx';

/** The window stays until the creation ends. One that ended early offers to remove what it left. */
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
  after: offerOf,
};

function offerOf(operation: Operation) {
  if (!mayHaveLeftRemains(operation)) return null;
  return (
    <p className={classNames(layout.row, layout.wrap, layout.gap3)}>
      What this creation left takes the name {operation.longname} on the server. Run it again to go on from
      there, or free the name.
      <RemoveRemains creationId={operation.id} />
    </p>
  );
}

/** The deletion also removes the database's page, so OK leads to the list. */
export const databaseDeletionLook: OperationLook = {
  titleOf: ({ state, longname, serverName }) =>
    state === 'succeeded' ? `${longname} is deleted` : `Deleting ${longname} on ${serverName}`,
  onOk: (_operation, go) => go('/databases'),
};
