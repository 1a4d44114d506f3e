import { Page } from '../shell/Page.tsx';

export function ServerPage() {
  return <Page title="Server" />;
}
