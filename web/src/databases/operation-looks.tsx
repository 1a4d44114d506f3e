import { mayHaveLeftRemains } from '@homeport/contract/databases/remains';
import { nameOfCreation } from '@homeport/contract/operations/creation-title';
import type { Operation } from '@homeport/contract/operations/schema';
import { earlyEnd, earlyEndAdvice } from '../operations/early-end.ts';
import type { OperationLook } from '../operations/operation-look.ts';
import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import { formatBytes } from '../ui/text/format.ts';
import { RemoveRemains } from './RemoveRemains.tsx';

/** Pulling an image may take long, so the window can be closed. A creation that ended early offers to remove what it left. */
export const databaseCreationLook: OperationLook = {
  titleOf: ({ title, state, longname, serverName }) => {
    if (state === 'succeeded') return `${nameOfCreation(title)} is created`;
    const end = earlyEnd(state);
    return end ? `The creation of ${longname} ${end}` : `Creating ${longname} on ${serverName}`;
  },
  descriptionOf: ({ state }) =>
    state === 'succeeded'
      ? 'Link it to an app: the app then gets the connection string in a variable.'
      : earlyEnd(state)
        ? earlyEndAdvice
        : 'The work goes on when you close this window, and if the connection drops.',
  okHint: 'OK opens the database once it is finished',
  onOk: ({ longname, databaseId }, go) => {
    const id = databaseId ? `?id=${databaseId}` : '';
    if (longname) go(`/databases/${encodeURIComponent(longname)}${id}`);
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

/** What the command printed is for the console. The result is how large the dump is, and where it lies. */
export const dumpLook: OperationLook = {
  descriptionOf: ({ state, result, longname, serverName }) =>
    state === 'succeeded' && typeof result.bytes === 'number'
      ? `The dump of ${longname} has ${formatBytes(result.bytes)} and lies on ${serverName}. Its row in Backups downloads it.`
      : undefined,
};

/** The deletion also removes the database's page, so OK leads to the list. */
export const databaseDeletionLook: OperationLook = {
  titleOf: ({ state, longname, serverName }) => {
    if (state === 'succeeded') return `${longname} is deleted`;
    const end = earlyEnd(state);
    return end ? `The deletion of ${longname} ${end}` : `Deleting ${longname} on ${serverName}`;
  },
  onOk: (_operation, go) => go('/databases'),
};
