import { Page } from '../shell/Page.tsx';

export function CredentialsPage() {
  return <Page title="Credentials" />;
}
