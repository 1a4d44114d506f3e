import type { SignIn } from '@homeport/contract/account/schema';
import { countryDatabase } from '@homeport/contract/location/facts';
import { problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { ExternalLink } from '../../ui/button/CodeLine.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Badge } from '../../ui/feedback/Status.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import layout from '../../ui/layout/layout.module.css';
import { PanelPart } from '../../ui/layout/Panel.tsx';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { useFirstRows } from '../../ui/table/use-first-rows.tsx';
import { formatDate } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';

const shownFirst = 10;

/** Where the person is signed in, and the way to end a sign-in. */
export function Sessions() {
  const sessions = useApi('GET /api/sessions');
  const endOthers = useAct('POST /api/sessions/end-others', {
    onDone: ({ ended }) => toast.ok(ended === 1 ? '1 sign-in ended' : `${ended} sign-ins ended`),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  const { shown, more } = useFirstRows(sessions.data ?? [], shownFirst);
  const others = sessions.data?.some(({ current }) => !current) ?? false;
  return (
    <PanelPart
      id="sessions"
      title="Sign-ins"
      busy={sessions.isPending}
      actions={
        others && (
          <>
            {more}
            <Button
              size="sm"
              busy={endOthers.isPending}
              busyLabel="Ending"
              onClick={() => endOthers.mutate({})}
            >
              End all others
            </Button>
          </>
        )
      }
      footer={
        <p>
          The device is what the browser says of itself. The country is looked up here, in{' '}
          <ExternalLink href={countryDatabase.url}>{countryDatabase.name}</ExternalLink> of{' '}
          {formatDate(countryDatabase.published)}, {countryDatabase.licence}. A sign-in that ends closes its
          connections to your servers.
        </p>
      }
    >
      <NotLoaded query={sessions} title="The sign-ins could not be loaded" rows={1} />
      {sessions.data && (
        <ul
          className={classNames(settingsListStyles.settings, settingsListStyles.dense)}
          aria-label="Sign-ins"
        >
          {shown.map((session) => (
            <SignInLine key={session.id} signIn={session} />
          ))}
        </ul>
      )}
    </PanelPart>
  );
}

function SignInLine({
  signIn: { id, current, device, address, place, signedInAt, lastUsedAt },
}: {
  signIn: SignIn;
}) {
  const end = useAct('POST /api/sessions/:id/end', {
    onDone: () => toast.ok(`Sign-in of ${device} ended`),
    onFailed: (error) => toast.bad(problemText(error)),
  });
  return (
    <li>
      <span className={typography.twoLines}>
        <span className={typography.strong}>{device}</span>
        <small>
          {place}
          {address !== null && (
            <>
              , <span className={classNames(typography.monospace, typography.longWords)}>{address}</span>
            </>
          )}
          . Signed in <Time at={signedInAt} as="date" />, last used <Time at={lastUsedAt} />
        </small>
      </span>
      {current ? (
        <Badge tone="info">This browser</Badge>
      ) : (
        <Button
          size="sm"
          busy={end.isPending}
          busyLabel="Ending"
          onClick={() => end.mutate({ params: { id } })}
        >
          End
          <span className={layout.visuallyHidden}>
            {' '}
            the sign-in of {device} from {address ?? place}
          </span>
        </Button>
      )}
    </li>
  );
}
