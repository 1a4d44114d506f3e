import type { App } from '@homeport/contract/apps/schema';
import { useState } from 'react';
import { Button } from '../../ui/button/Button.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { Select } from '../../ui/form/Select.tsx';
import layout from '../../ui/layout/layout.module.css';
import { DeployGuide } from './DeployGuide.tsx';

export interface HowToDeployDialogProps {
  open: boolean;
  onClose: () => void;
  /** At least one. The dialog shows the first one first. */
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
        <Button className={layout.atEnd} onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className={layout.stack}>
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
