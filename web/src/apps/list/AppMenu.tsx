import type { App } from '@homeport/contract/apps/schema';
import { useNavigate } from '@tanstack/react-router';
import { IconButton } from '../../ui/button/Button.tsx';
import { Menu } from '../../ui/menu/Menu.tsx';

export function AppMenu({ app, onExplain }: { app: App; onExplain: () => void }) {
  const navigate = useNavigate();
  return (
    <Menu
      trigger={<IconButton label={`More actions for ${app.name}`} icon="more" iconSize={20} />}
      items={[
        {
          label: 'Open its page',
          icon: 'apps',
          onSelect: () =>
            void navigate({
              to: '/app/$server/$longname',
              params: { server: app.serverKey, longname: app.longname },
            }),
        },
        {
          label: 'Open its server',
          icon: 'server',
          onSelect: () => void navigate({ to: '/server/$key', params: { key: app.serverKey } }),
        },
        { label: 'How to deploy', icon: 'book', onSelect: onExplain },
      ]}
    />
  );
}
