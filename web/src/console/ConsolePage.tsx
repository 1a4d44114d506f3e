import { Page } from '../page-frame/Page.tsx';
import { Facts } from './Facts.tsx';

/** The console itself, for its owner. */
export function ConsolePage() {
  return (
    <Page title="Console">
      <Facts />
    </Page>
  );
}
