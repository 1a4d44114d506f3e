import { Page } from '../shell/Page.tsx';

export function AppPage() {
  return <Page title="App" />;
}
