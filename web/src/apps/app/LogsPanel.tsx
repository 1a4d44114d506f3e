import type { App } from '@homeport/contract/apps';
import { Panel } from '../../ui/Panel.tsx';
import { NothingYet } from '../../ui/States.tsx';
import type { AppLogView } from '../app-log/use-app-log.ts';
import { appStatus } from '../app-status.ts';
import { LogBox } from './LogBox.tsx';

/** What the app writes, as it writes it. */
export function LogsPanel({ app, view, onRetry }: { app: App; view: AppLogView; onRetry: () => void }) {
  const status = appStatus(app);
  return (
    <Panel title="Logs" id="logs" body="flush">
      {status === 'running' ? (
        <LogBox
          label={`log of ${app.name}`}
          view={view}
          times
          empty="The app has written nothing yet"
          onRetry={onRetry}
        />
      ) : (
        <NothingYet>
          {status === 'paused'
            ? 'The app is stopped. Its log is read again once it runs.'
            : 'The app writes its log from the first deploy on.'}
        </NothingYet>
      )}
    </Panel>
  );
}
