import { Page } from '../shell/Page.tsx';

export function HomePage() {
  return <Page title="Home" />;
}
