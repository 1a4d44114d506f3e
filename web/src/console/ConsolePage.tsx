import { useSession } from '../data/session.ts';
import { Page } from '../page-frame/Page.tsx';
import { classNames } from '../ui/class-names.ts';
import { NothingYet } from '../ui/feedback/States.tsx';
import layout from '../ui/layout/layout.module.css';
import { BackupsPanel } from './backups/BackupsPanel.tsx';
import { Facts } from './Facts.tsx';
import { StatusPagesPanel } from './status-pages/StatusPagesPanel.tsx';

/** The console itself, for its owner. */
export function ConsolePage() {
  const { owner } = useSession();
  return (
    <Page title="Console">
      {owner ? (
        <div className={classNames(layout.stack, layout.gap5)}>
          <Facts />
          <BackupsPanel />
          <StatusPagesPanel />
        </div>
      ) : (
        <NothingYet>Only the owner of this console may see this.</NothingYet>
      )}
    </Page>
  );
}
