import { Page } from '../shell/Page.tsx';

export function NewAppPage() {
  return <Page title="New app" />;
}
