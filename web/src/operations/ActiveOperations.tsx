import type { Operation } from '@homeport/contract/operations';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';
import { activeOperationsQuery, worthShowing } from './active-operations.ts';
import { openOperation } from './open-operation.ts';

const words: Partial<Record<Operation['state'], string>> = {
  queued: 'queued',
  running: 'running',
  waiting: 'waiting',
  interrupted: 'interrupted',
};

/** In the header while something goes on: leads back to the window of each operation. */
export function ActiveOperations() {
  const operations = worthShowing(useQuery(activeOperationsQuery).data ?? [], Date.now());
  if (operations.length === 0) return null;
  const going = operations.some(({ state }) => state !== 'interrupted');
  return (
    <Menu
      trigger={
        <Button size="sm" icon={going ? 'refresh' : 'pause'} className="work">
          <span className="hide-phone">{going ? 'Work going on' : 'Interrupted work'}</span>
          <span className="only-phone sr">{going ? 'Work going on' : 'Interrupted work'}</span>
          <span className="chip">{operations.length}</span>
        </Button>
      }
      items={operations.map((operation, index) => ({
        label: `${index + 1}. ${nameOf(operation)}, ${words[operation.state] ?? operation.state}`,
        onSelect: () => openOperation(operation.id),
      }))}
    />
  );
}

const nameOf = ({ title, serverName }: Operation) =>
  serverName && !title.includes(serverName) ? `${title} (${serverName})` : title;
