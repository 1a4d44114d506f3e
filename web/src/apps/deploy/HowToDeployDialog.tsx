import type { App } from '@homeport/contract/apps';
import { useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Select } from '../ui/Field.tsx';
import { DeployGuide } from './DeployGuide.tsx';

export interface HowToDeployDialogProps {
  open: boolean;
  onClose: () => void;
  /** At least one, the one to show first at the front. */
  apps: readonly App[];
}

export function HowToDeployDialog({ open, onClose, apps }: HowToDeployDialogProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const app = apps.find(({ id }) => id === chosen) ?? apps[0];
  if (!app) return null;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="How to deploy"
      description={`Code reaches ${app.name} with git, over SSH.`}
      footer={
        <Button className="end" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className="stack">
        {apps.length > 1 && (
          <Select
            label="App"
            value={app.id}
            options={apps.map(({ id, name, longname }) => ({ value: id, label: `${name} (${longname})` }))}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        )}
        <DeployGuide key={app.id} app={app} />
      </div>
    </Dialog>
  );
}
