import { ButtonLink } from '../ui/button/ButtonLink.tsx';
import { Empty } from '../ui/feedback/States.tsx';
import { Panel } from '../ui/layout/Panel.tsx';

/** Stands in place of a form whose thing needs a server. The child says so in a sentence. */
export function NoServerYet({ children }: { children: string }) {
  return (
    <Panel>
      <Empty
        title="No server yet"
        action={
          <ButtonLink to="/servers" search={{ add: true }} variant="primary" icon="plus">
            Add server
          </ButtonLink>
        }
      >
        {children}
      </Empty>
    </Panel>
  );
}
