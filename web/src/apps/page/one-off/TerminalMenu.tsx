import type { Ref } from 'react';
import { Button } from '../../../ui/button/Button.tsx';
import { Menu } from '../../../ui/menu/Menu.tsx';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';

interface TerminalMenuProps {
  place: AppPlace;
  /** Of the button. */
  ref: Ref<HTMLButtonElement>;
  /** The name of a container; null: a new one. */
  onOpen: (process: string | null) => void;
}

/** Where a terminal can open: in each running container, and in a new one. */
export function TerminalMenu({ place, ref, onOpen }: TerminalMenuProps) {
  const { state } = useOnServer('GET /api/apps/:id/processes', place, 'processes');
  const containers = state.kind === 'ready' ? (state.data.containers ?? []) : [];
  const running = containers.filter((container) => container.state === 'running');
  return (
    <Menu
      trigger={
        <Button ref={ref} size="sm">
          Open a terminal
        </Button>
      }
      items={[
        ...running.map(({ name }) => ({ label: `In ${name}`, onSelect: () => onOpen(name) })),
        { label: 'In a new container', onSelect: () => onOpen(null) },
      ]}
    />
  );
}
