import { appStateText } from '@homeport/contract/apps/health';
import { type ServerStatus, serverStatusText } from '@homeport/contract/servers/health';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { Icon, type IconName } from '../picture/Icon.tsx';
import iconStyles from '../picture/icon.module.css';
import typography from '../text/typography.module.css';
import quietStatusStyles from './quiet-status.module.css';
import styles from './Status.module.css';

export type LampState = 'on' | 'off' | 'nodata';

/** The lamp of a server in each status. */
export const lampOf: Record<ServerStatus, LampState> = { online: 'on', offline: 'off', 'no-data': 'nodata' };

const lampClass: Record<LampState, string | undefined> = {
  on: styles.on,
  off: styles.off,
  nodata: styles.noData,
};

/**
 * A lit disc, a barred ring or a dashed ring: each shape is clear without colour. The lamp is decoration,
 * because the word stands beside it.
 */
export function Lamp({ state, size = 14 }: { state: LampState; size?: 14 | 18 }) {
  const common = {
    className: classNames(styles.lamp, lampClass[state]),
    width: size,
    height: size,
    viewBox: '0 0 14 14',
  };
  if (state === 'on')
    return (
      <svg {...common} aria-hidden="true">
        <circle cx="7" cy="7" r="6.25" fill="currentColor" opacity=".22" />
        <circle cx="7" cy="7" r="3.5" fill="currentColor" />
      </svg>
    );
  return (
    <svg
      {...common}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      aria-hidden="true"
    >
      {state === 'off' ? (
        <>
          <circle cx="7" cy="7" r="4.6" />
          <path d="M3.4 10.6 10.6 3.4" />
        </>
      ) : (
        <circle cx="7" cy="7" r="4.6" strokeDasharray="2.4 2.42" strokeLinecap="butt" />
      )}
    </svg>
  );
}

export type BadgeTone = 'ok' | 'bad' | 'warn' | 'info' | 'none' | 'plain';

const toneClass: Record<BadgeTone, string | undefined> = {
  ok: styles.success,
  bad: styles.danger,
  warn: styles.warning,
  info: styles.info,
  none: styles.unknown,
  plain: styles.plain,
};

export interface BadgeProps {
  tone?: BadgeTone;
  icon?: IconName;
  lamp?: LampState;
  /** Turns the icon, for running work. */
  spinning?: boolean;
  children: ReactNode;
}

/** A status in a box, for page headers and for problems. */
export function Badge({ tone = 'plain', icon, lamp, spinning = false, children }: BadgeProps) {
  return (
    <span className={classNames(styles.badge, toneClass[tone])}>
      {lamp && <Lamp state={lamp} />}
      {icon && <Icon name={icon} size={14} {...(spinning ? { className: iconStyles.spinning } : {})} />}
      {children}
    </span>
  );
}

type Shown = { word: string; tone: BadgeTone; lamp?: LampState; icon?: IconName };

const statuses = {
  online: { word: serverStatusText('online'), tone: 'ok', lamp: lampOf.online },
  offline: { word: serverStatusText('offline'), tone: 'bad', lamp: lampOf.offline },
  'no-data': { word: serverStatusText('no-data'), tone: 'none', lamp: lampOf['no-data'] },
  running: { word: appStateText({ kind: 'running' }, 0), tone: 'ok', icon: 'play' },
  paused: { word: appStateText({ kind: 'paused' }, 0), tone: 'plain', icon: 'pause' },
} as const satisfies Record<string, Shown>;

export type StatusName = keyof typeof statuses;

export interface StatusProps {
  status: StatusName;
  /** Boxes every status, as in a page header. By default only problems have a box. */
  boxed?: boolean;
}

/** A good status is quiet, a problem has a box. */
export function Status({ status, boxed = false }: StatusProps) {
  const shown: Shown = statuses[status];
  if (boxed || shown.tone !== 'ok') {
    return (
      <Badge
        tone={shown.tone}
        {...(shown.lamp ? { lamp: shown.lamp } : {})}
        {...(shown.icon ? { icon: shown.icon } : {})}
      >
        {shown.word}
      </Badge>
    );
  }
  return (
    <span className={quietStatusStyles.status}>
      {shown.lamp && <Lamp state={shown.lamp} />}
      {shown.icon && <Icon name={shown.icon} size={14} />}
      {shown.word}
    </span>
  );
}

/** A good state without a box: a lamp and a word, for lists and the line under a title. */
export function Quiet({ lamp, children }: { lamp: LampState; children: ReactNode }) {
  return (
    <span className={quietStatusStyles.status}>
      <Lamp state={lamp} />
      {children}
    </span>
  );
}

export interface ChipProps {
  mono?: boolean;
  /** For the small line under a name. */
  small?: boolean;
  children: ReactNode;
}

export function Chip({ mono = false, small = false, children }: ChipProps) {
  return (
    <span className={classNames(styles.chip, small && styles.smallChip, mono && typography.monospace)}>
      {children}
    </span>
  );
}

export function Kbd({ children }: { children: string }) {
  return <kbd>{children}</kbd>;
}
