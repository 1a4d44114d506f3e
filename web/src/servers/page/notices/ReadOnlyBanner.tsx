import { readOnlyTexts } from '@homeport/contract/servers/closed';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import layout from '../../../ui/layout/layout.module.css';
import type { SettingsDialog } from '../settings/Settings.tsx';

export interface ReadOnlyBannerProps {
  /** Whether the agent has reported. */
  reports: boolean;
  onOpen: (dialog: SettingsDialog) => void;
}

/** Says what a server without a management credential cannot do, and how it gets an agent and a credential. */
export function ReadOnlyBanner({ reports, onOpen }: ReadOnlyBannerProps) {
  return (
    <Banner
      action={
        <span className={classNames(layout.row, layout.wrap)}>
          {!reports && (
            <Button variant="primary" icon="download" onClick={() => onOpen('agent-line')}>
              Install the agent
            </Button>
          )}
          <Button icon="key" onClick={() => onOpen('credential')}>
            Add credential
          </Button>
        </span>
      }
    >
      <p>{readOnlyTexts.reports}</p>
    </Banner>
  );
}
