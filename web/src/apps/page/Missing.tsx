import type { App } from '@homeport/contract/apps/schema';
import { Button } from '../../ui/button/Button.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { Time } from '../../ui/text/Time.tsx';

export interface MissingProps {
  app: Pick<App, 'serverName'>;
  /** When the server was first found without the app. */
  since: number;
  onRemove: () => void;
}

/** Says that the server no longer has the app, and offers to remove what Homeport holds of it. */
export function Missing({ app, since, onRemove }: MissingProps) {
  return (
    <Banner
      tone="bad"
      action={
        <Button size="sm" icon="trash" onClick={onRemove}>
          Remove from Homeport
        </Button>
      }
    >
      <p>
        {app.serverName} no longer has this app: somebody destroyed it there. Homeport found that{' '}
        <Time at={since} />. What this page shows is older. If the app comes back under the same name, read it
        again.
      </p>
    </Banner>
  );
}
