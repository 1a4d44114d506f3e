import { messages } from '@homeport/contract/messages';
import { lazy, Suspense } from 'react';
import { Panel } from '../../ui/Panel.tsx';
import { NothingYet, SkeletonRows } from '../../ui/States.tsx';
import { appStatus } from '../app-status.ts';
import type { AppPlace } from './on-server/app-place.ts';
import { ServerRead } from './on-server/ServerRead.tsx';
import { useOnServer } from './on-server/use-on-server.ts';

const Markdown = lazy(async () => ({ default: (await import('./Markdown.tsx')).Markdown }));

/** The readme of what is deployed. */
export function ReadmePanel({ place }: { place: AppPlace }) {
  const { state } = useOnServer('GET /api/apps/:id/readme', place);
  return (
    <Panel id="readme" title="Readme" body="flush" busy={state.kind === 'loading'}>
      <ServerRead state={state} connect={place.connect} what="the readme">
        {(readme) => {
          switch (readme.kind) {
            case 'none':
              return (
                <NothingYet>
                  {appStatus(place.app) === 'undeployed'
                    ? 'The readme comes with the first deploy.'
                    : 'None was found. Reading it needs an account that may become root on the server.'}
                </NothingYet>
              );
            case 'too_long':
              return <NothingYet>{messages.readmeTooLong}</NothingYet>;
            case 'text':
              return (
                <Suspense fallback={<SkeletonRows />}>
                  <Markdown text={readme.text} />
                </Suspense>
              );
          }
        }}
      </ServerRead>
    </Panel>
  );
}
