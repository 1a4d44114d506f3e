import { Page } from '../shell/Page.tsx';

export function NewCredentialPage() {
  return <Page title="New keypair" />;
}
