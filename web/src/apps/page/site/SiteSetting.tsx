import type { Site } from '@homeport/contract/apps/site/schema';
import { Button } from '../../../ui/button/Button.tsx';
import { Setting } from '../../../ui/layout/Setting.tsx';
import { closedOnApp } from '../../closed-on-app.ts';
import type { AppPlace } from '../../on-server/app-place.ts';
import { useOnServer } from '../../on-server/use-on-server.ts';
import { siteText } from './site-texts.ts';

/** How nginx serves the app, as System Information has read it already. */
export function SiteSetting({ place, onOpen }: { place: AppPlace; onOpen: (site: Site) => void }) {
  const { app, server } = place;
  const { state } = useOnServer('GET /api/apps/:id/system', place, 'manage-app');
  const told = state.kind === 'ready' ? state.data : null;
  const site = told?.site ?? null;
  const isServed = told === null || site === null || told.proxy === 'nginx';
  return (
    <Setting
      title="Site"
      note={
        site === null
          ? 'The largest upload, the wait for an answer, and HSTS.'
          : isServed
            ? siteText(site, app.https)
            : 'nginx does not serve this app.'
      }
      action={
        <Button
          size="sm"
          disabledReason={
            closedOnApp(app, server) ??
            whyNot(told === null, site === null || server.dokkuPlugin.installed === null, isServed)
          }
          onClick={() => site && onOpen(site)}
        >
          Change site
        </Button>
      }
    />
  );
}

function whyNot(unread: boolean, untold: boolean, served: boolean): string | null {
  if (unread) return 'The server has not told yet how nginx serves this app.';
  if (untold)
    return 'Install or update Homeport’s plugin on the server first: it changes this since version 1.14.';
  return served ? null : 'Another proxy serves this app, or none.';
}
