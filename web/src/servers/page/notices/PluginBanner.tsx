import type { Server } from '@homeport/contract/servers/schema';
import { Button } from '../../../ui/button/Button.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import typography from '../../../ui/text/typography.module.css';
import { pluginLook } from '../plugin-look.ts';
import { usePluginInstall } from '../use-plugin-install.ts';

/** Says that Homeport's own Dokku plugin would make the pages of this server's apps lighter for it, and offers the plugin. */
export function PluginBanner({ server }: { server: Server }) {
  const install = usePluginInstall(server.id);
  const look = pluginLook(server);
  if (!look?.action || look.refusal) return null;
  return (
    <Banner
      action={
        <Button busy={install.isPending} busyLabel="Starting" onClick={install.start}>
          {look.action} the plugin
        </Button>
      }
    >
      <p>
        {look.action === 'Install'
          ? 'Homeport’s Dokku plugin would make this server’s work lighter.'
          : 'This console brings a newer version of its Dokku plugin.'}
      </p>
      <p className={typography.small}>{look.note}</p>
    </Banner>
  );
}
