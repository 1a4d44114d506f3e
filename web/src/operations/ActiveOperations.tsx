import { operationStateText } from '@homeport/contract/operations/health';
import type { Operation } from '@homeport/contract/operations/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Chip } from '../ui/feedback/Status.tsx';
import layout from '../ui/layout/layout.module.css';
import { Menu } from '../ui/menu/Menu.tsx';
import { activeOperationsQuery, worthShowing } from './active-operations.ts';
import { openOperation } from './open-operation.ts';

/** Lists the active operations in the header. Each entry opens the operation's window. */
export function ActiveOperations() {
  const operations = worthShowing(useQuery(activeOperationsQuery).data ?? [], Date.now());
  if (operations.length === 0) return null;
  const going = operations.some(({ state }) => state !== 'interrupted');
  return (
    <Menu
      trigger={
        <Button size="sm" icon={going ? 'refresh' : 'pause'}>
          <span className={layout.notOnPhone}>{going ? 'Work going on' : 'Interrupted work'}</span>
          <span className={classNames(layout.phoneOnly, layout.visuallyHidden)}>
            {going ? 'Work going on' : 'Interrupted work'}
          </span>
          <Chip>{operations.length}</Chip>
        </Button>
      }
      items={operations.map((operation, index) => ({
        label: `${index + 1}. ${nameOf(operation)}, ${operationStateText(operation.state).toLowerCase()}`,
        onSelect: () => openOperation(operation.id),
      }))}
    />
  );
}

const nameOf = ({ title, serverName }: Operation) =>
  serverName && !title.includes(serverName) ? `${title} (${serverName})` : title;
