import { Page } from '../shell/Page.tsx';

export function ServersPage() {
  return <Page title="Servers" />;
}
