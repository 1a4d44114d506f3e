import { closedTexts } from '@homeport/contract/servers/closed';
import { lacksDokku } from '@homeport/contract/servers/platform';
import type { Server } from '@homeport/contract/servers/schema';
import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../ui/button/Button.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { Menu } from '../../ui/menu/Menu.tsx';

/** Leads to the import of databases, which stands on each server's page. Nothing where no server has Dokku. */
export function ImportMenu({ servers }: { servers: readonly Server[] }) {
  const navigate = useNavigate();
  const able = servers.filter(
    (server) => closedTexts(server) === null && !server.metal && !lacksDokku(server),
  );
  const [only, ...more] = able;
  if (!only) return null;
  if (more.length === 0)
    return (
      <ButtonLink to="/server/$key" params={{ key: only.key }} hash="databases" icon="import">
        Import databases
      </ButtonLink>
    );
  return (
    <Menu
      trigger={<Button icon="import">Import databases</Button>}
      items={able.map(({ key, name }) => ({
        label: `From ${name}`,
        icon: 'server',
        onSelect: () => void navigate({ to: '/server/$key', params: { key }, hash: 'databases' }),
      }))}
    />
  );
}
