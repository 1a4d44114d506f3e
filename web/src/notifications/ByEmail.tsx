import { type NotificationKind, notificationRules } from '@homeport/contract/notifications/kinds';
import type { Notifications } from '@homeport/contract/notifications/routes';
import type { ReactNode } from 'react';
import { Banner } from '../ui/feedback/Banner.tsx';
import { Failed, SkeletonRows } from '../ui/feedback/States.tsx';
import { Switch } from '../ui/form/Choice.tsx';
import typography from '../ui/text/typography.module.css';
import styles from './by-email.module.css';
import { News } from './News.tsx';

/** A change that the user asked for and the console has not answered yet. */
export type Wish<K extends NotificationKind> = { kind: K | null; on: boolean };

export interface ByEmailProps<K extends NotificationKind> {
  /** The kinds of news that this subject has, in the order in which they are shown. */
  kinds: readonly K[];
  /** undefined until they are loaded. */
  notifications: Notifications | undefined;
  /** Why the notifications cannot be shown. null when they can. */
  problem: string | null;
  onRetry: () => void;
  /** The label of the switch for all e-mail. */
  allLabel: ReactNode;
  /** Shown in place of the switches when the server's own switch is off. */
  silencedByServer?: ReactNode;
  wish: Wish<K> | undefined;
  onChange: (wish: Wish<K>) => void;
}

/** "14, 7, 3 and 1" */
const certificateDays = notificationRules.certificateDays.join(', ').replace(/, (\d+)$/, ' and $1');

const { pressure, pressureMs } = notificationRules;
const pressureHelp = `For ${pressureMs / 60_000} minutes over ${pressure.cpu.over} % of the processor, ${pressure.ram.over} % of the memory, ${pressure.swap.over} % of the swap, or a load of ${pressure.load.over / 100} for each core.`;

const kindWords: Record<NotificationKind, { label: string; help: string }> = {
  'app.down': {
    label: 'The app is down, and up again',
    help: 'The checks from outside decide. Without a check of the app, this stays silent.',
  },
  'app.certificate': {
    label: 'Its certificate ends soon',
    help: `${certificateDays} days before its end, as the checks from outside see it.`,
  },
  'app.deploy': {
    label: 'A deploy failed',
    help: 'As soon as the console reads the app’s state: while its page is open, and after work on it.',
  },
  'database.backup': {
    label: 'A scheduled backup of a database failed or did not come',
    help: 'Once for each incident, and again when backups work.',
  },
  'server.offline': { label: 'The server is offline, and back', help: 'After two missed reports.' },
  'server.disk': {
    label: `Its disk is over ${notificationRules.diskFullPercent} % full, and has room again`,
    help: `After two reports in a row. Under ${notificationRules.diskEasedPercent} % it has room again.`,
  },
  'server.reboot': {
    label: 'The server started anew',
    help: 'By its uptime, at the first report after the start.',
  },
  'server.filling': {
    label: `Its disk will be full within ${notificationRules.fillingWithinMs / 3_600_000} hours, and slows down`,
    help: `From ${notificationRules.fillingFromPercent} % on, if it goes on as in the last ${notificationRules.fillingHours} hours.`,
  },
  'server.pressure': {
    label: 'Its processor, memory, swap or load stays high, and eases',
    help: pressureHelp,
  },
  'proxy.website': {
    label: 'A website behind it fails, and works again',
    help: 'When half of the requests of five minutes are answered with errors, five requests at least.',
  },
  'proxy.certificate': {
    label: 'The certificate of its domain ends soon',
    help: `${certificateDays} days before its end, as visitors are shown it.`,
  },
  'proxy.domain': {
    label: 'Its domain leads elsewhere or is not proven any more, and is in order again',
    help: 'After an hour of failed checks, and when the domain is not served any more.',
  },
  operation: {
    label: 'Work failed while nobody watched',
    help: 'Work that you started failed, and none of your pages showed the failure.',
  },
};

/** Which news is mailed, folded behind a line that says it, and the state of the latest mails. Part of a Notifications section. */
export function ByEmail<K extends NotificationKind>({
  kinds,
  notifications,
  problem,
  onRetry,
  allLabel,
  silencedByServer,
  wish,
  onChange,
}: ByEmailProps<K>) {
  if (problem !== null)
    return (
      <div className={styles.section}>
        <Failed title="The e-mail settings could not be loaded" onRetry={onRetry} level={3}>
          {problem}
        </Failed>
      </div>
    );
  return (
    <div className={styles.section}>
      <details>
        <summary className={styles.summary}>
          <h3 className={typography.subheading}>{stateOf(kinds, notifications, wish)}</h3>
        </summary>
        {!notifications && <SkeletonRows rows={3} />}
        {notifications && <Where {...notifications.email} />}
        {notifications &&
          (notifications.silencedByServer ? (
            <p className={styles.note}>{silencedByServer}</p>
          ) : (
            <Switches
              kinds={kinds}
              notifications={notifications}
              allLabel={allLabel}
              wish={wish}
              onChange={onChange}
            />
          ))}
      </details>
      {notifications && notifications.news.length > 0 && <News news={notifications.news} />}
    </div>
  );
}

/** What the closed section says of itself: "By e-mail: 4 kinds on". */
function stateOf<K extends NotificationKind>(
  kinds: readonly K[],
  notifications: Notifications | undefined,
  wish: Wish<K> | undefined,
): string {
  if (!notifications) return 'By e-mail';
  const isOn = isOnOf(notifications, wish);
  if (notifications.silencedByServer || !isOn(null)) return 'By e-mail: off';
  const on = kinds.filter(isOn).length;
  const said = `By e-mail: ${on === 1 ? '1 kind' : `${on} kinds`} on`;
  return notifications.email.problem === null ? said : `${said}, but no e-mail can be sent`;
}

/** Whether a kind is mailed (null: any at all), as the person wishes it now. */
const isOnOf = <K extends NotificationKind>(
  { kinds, silenced }: Notifications,
  wish: Wish<K> | undefined,
): ((kind: K | null) => boolean) => {
  const known = new Map<NotificationKind, boolean>(kinds.map(({ kind, on }) => [kind, on]));
  return (kind) => {
    if (wish?.kind === kind) return wish.on;
    return kind === null ? !silenced : (known.get(kind) ?? true);
  };
};

function Where({ address, problem, perHour }: Notifications['email']) {
  if (problem === null)
    return (
      <p className={styles.note}>
        To {address}, at most {perHour} messages an hour. The rest leaves in one summary. What is on goes to
        your webhooks, too.
      </p>
    );
  return (
    <div className={styles.banner}>
      <Banner tone="warn">
        <p>
          {problem === 'no_mail_server'
            ? 'No e-mail is sent, because this console has no mail server.'
            : `No e-mail is sent, because ${address} is not verified.`}{' '}
          What is on goes to your webhooks all the same.
        </p>
      </Banner>
    </div>
  );
}

function Switches<K extends NotificationKind>({
  kinds,
  notifications,
  allLabel,
  wish,
  onChange,
}: Pick<ByEmailProps<K>, 'kinds' | 'allLabel' | 'wish' | 'onChange'> & { notifications: Notifications }) {
  const isOn = isOnOf(notifications, wish);
  const all = isOn(null);
  return (
    <div className={styles.switches}>
      <Switch
        label={allLabel}
        checked={all}
        onChange={(event) => onChange({ kind: null, on: event.currentTarget.checked })}
      />
      <fieldset className={styles.kinds} disabled={!all}>
        <legend className={styles.legend}>Kinds of news</legend>
        {kinds.map((kind) => (
          <Switch
            key={kind}
            {...kindWords[kind]}
            checked={isOn(kind)}
            onChange={(event) => onChange({ kind, on: event.currentTarget.checked })}
          />
        ))}
      </fieldset>
    </div>
  );
}
