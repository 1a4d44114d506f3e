import type { Server } from '@homeport/contract/servers/schema';
import { Button } from '../../../ui/button/Button.tsx';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import typography from '../../../ui/text/typography.module.css';
import { pluginLook } from '../plugin-look.ts';
import { usePluginInstall } from '../use-plugin-install.ts';

/** Says what needs Homeport's own Dokku plugin, and offers the plugin. */
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
          ? 'Backups of databases need Homeport’s Dokku plugin on this server.'
          : 'This console brings a newer version of its Dokku plugin.'}
      </p>
      <p className={typography.small}>
        {look.action === 'Install' ? 'An app’s page also asks this server less with it.' : look.note}
      </p>
    </Banner>
  );
}
