import { useState } from 'react';
import { routeUrl } from '../../data/route-url.ts';
import { Button } from '../../ui/button/Button.tsx';
import { DownloadLink } from '../../ui/button/ButtonLink.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../ui/layout/Setting.tsx';
import { onDemand } from '../../ui/on-demand.tsx';

const DeleteAccountDialog = onDemand(
  async () => (await import('./DeleteAccountDialog.tsx')).DeleteAccountDialog,
);

/** The file with everything that the console keeps for the person, and the way to delete all of it. */
export function YourData() {
  const { url } = routeUrl('GET /api/profile/export');
  const [asking, setAsking] = useState(false);
  return (
    <Panel id="your-data" title="Your data" body="flush">
      <SettingsList>
        <Setting
          title="Everything in one file"
          note="JSON with all that this console keeps for you. No password, token or other secret is in it, and no stats."
          action={
            <DownloadLink size="sm" href={url}>
              Download everything
            </DownloadLink>
          }
        />
        <Setting
          id="danger-zone"
          tone="danger"
          title="Delete account"
          note="Deletes everything that this console keeps for you. Nothing changes on your servers."
          action={
            <Button
              size="sm"
              variant="danger-quiet"
              icon="trash"
              onPointerEnter={DeleteAccountDialog.prepare}
              onFocus={DeleteAccountDialog.prepare}
              onClick={() => setAsking(true)}
            >
              Delete account
            </Button>
          }
        />
      </SettingsList>
      {asking && <DeleteAccountDialog onClose={() => setAsking(false)} />}
    </Panel>
  );
}
