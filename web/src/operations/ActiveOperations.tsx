import { operationStateText } from '@homeport/contract/operations/health';
import type { Operation } from '@homeport/contract/operations/schema';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../ui/button/Button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Chip } from '../ui/feedback/Status.tsx';
import layout from '../ui/layout/layout.module.css';
import { Menu } from '../ui/menu/Menu.tsx';
import type { IconName } from '../ui/picture/Icon.tsx';
import { consoleTime } from '../ui/text/console-time.ts';
import { activeOperationsQuery, worthShowing } from './active-operations.ts';
import { openLeftResult, useLeftResult } from './left-result.ts';
import { openOperation } from './open-operation.ts';

/** Lists the active operations in the header, and the result that a reload closed. Each entry opens the operation's window. */
export function ActiveOperations() {
  const active = worthShowing(useQuery(activeOperationsQuery).data ?? [], consoleTime());
  const left = useLeftResult();
  const operations = left && !active.some(({ id }) => id === left.id) ? [left, ...active] : active;
  if (operations.length === 0) return null;
  const { icon, text } = summaryOf(active);
  return (
    <Menu
      trigger={
        <Button size="sm" icon={icon}>
          <span className={layout.notOnPhone}>{text}</span>
          <span className={classNames(layout.phoneOnly, layout.visuallyHidden)}>{text}</span>
          <Chip>{operations.length}</Chip>
        </Button>
      }
      items={operations.map((operation, index) => ({
        label: `${index + 1}. ${nameOf(operation)}, ${operationStateText(operation.state).toLowerCase()}`,
        onSelect: () => (operation === left ? openLeftResult(operation.id) : openOperation(operation.id)),
      }))}
    />
  );
}

function summaryOf(active: readonly Operation[]): { icon: IconName; text: string } {
  if (active.length === 0) return { icon: 'bell', text: 'Ended work' };
  return active.some(({ state }) => state !== 'interrupted')
    ? { icon: 'refresh', text: 'Work going on' }
    : { icon: 'pause', text: 'Interrupted work' };
}

const nameOf = ({ title, serverName }: Operation) =>
  serverName && !title.includes(serverName) ? `${title} (${serverName})` : title;
