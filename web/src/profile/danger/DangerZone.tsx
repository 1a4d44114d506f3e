import { useState } from 'react';
import { Button } from '../../ui/button/Button.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../ui/layout/Setting.tsx';
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx';

/** What cannot be undone. */
export function DangerZone() {
  const [asking, setAsking] = useState(false);
  return (
    <Panel id="danger-zone" title="Danger zone" body="flush">
      <SettingsList>
        <Setting
          tone="danger"
          title="Delete account"
          note="Deletes everything that this console keeps for you. Nothing changes on your servers."
          action={
            <Button size="sm" variant="danger-quiet" icon="trash" onClick={() => setAsking(true)}>
              Delete account
            </Button>
          }
        />
      </SettingsList>
      {asking && <DeleteAccountDialog onClose={() => setAsking(false)} />}
    </Panel>
  );
}
