import type { IconName } from '../picture/Icon.tsx';

/** How good or bad something is. Colours show it. */
export type Tone = 'ok' | 'info' | 'warn' | 'bad';

/** The tone of each usage band (`usageBand`) and of each toast of an operation. */
export const toneOf = {
  ok: 'ok',
  info: 'info',
  warning: 'warn',
  danger: 'bad',
  bad: 'bad',
} as const satisfies Record<string, Tone>;

export const toneIcons: Record<Tone, IconName> = {
  ok: 'success',
  info: 'info',
  warn: 'warning',
  bad: 'danger',
};
