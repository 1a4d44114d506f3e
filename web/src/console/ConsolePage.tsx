import { Page } from '../page-frame/Page.tsx';
import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import { BackupsPanel } from './backups/BackupsPanel.tsx';
import { Facts } from './Facts.tsx';

/** The console itself, for its owner. */
export function ConsolePage() {
  return (
    <Page title="Console">
      <div className={classNames(layout.stack, layout.gap5)}>
        <BackupsPanel />
        <Facts />
      </div>
    </Page>
  );
}
