import { Page } from '../shell/Page.tsx';

export function AppsPage() {
  return <Page title="Applications" />;
}
