import sprite from './icons.svg?url';

export type IconName =
  | 'anchor'
  | 'apps'
  | 'arrowdown'
  | 'arrowright'
  | 'arrowup'
  | 'bell'
  | 'book'
  | 'box'
  | 'branch'
  | 'broom'
  | 'chart'
  | 'check'
  | 'clock'
  | 'cloud'
  | 'collapse'
  | 'command'
  | 'copy'
  | 'cpu'
  | 'credits'
  | 'danger'
  | 'database'
  | 'disk'
  | 'domain'
  | 'down'
  | 'download'
  | 'edit'
  | 'enter'
  | 'external'
  | 'eye'
  | 'eyeoff'
  | 'filter'
  | 'flag'
  | 'follow'
  | 'gauge'
  | 'grip'
  | 'help'
  | 'home'
  | 'import'
  | 'info'
  | 'key'
  | 'latency'
  | 'left'
  | 'light'
  | 'link'
  | 'list'
  | 'lock'
  | 'log'
  | 'logout'
  | 'mail'
  | 'memory'
  | 'menu'
  | 'moon'
  | 'more'
  | 'network'
  | 'pause'
  | 'pin'
  | 'play'
  | 'plus'
  | 'process'
  | 'proxy'
  | 'rebuild'
  | 'refresh'
  | 'right'
  | 'route'
  | 'screen'
  | 'search'
  | 'server'
  | 'settings'
  | 'shield'
  | 'sort'
  | 'stop'
  | 'success'
  | 'sun'
  | 'table'
  | 'tag'
  | 'trash'
  | 'up'
  | 'upload'
  | 'user'
  | 'variable'
  | 'warning'
  | 'wrap'
  | 'x';

export interface IconProps {
  name: IconName;
  /** CSS pixels: 14, 16, 18, 20 or 24. */
  size?: 14 | 16 | 18 | 20 | 24;
  className?: string | undefined;
}

/** An icon of the console's own set. It is always decoration: a word or an `aria-label` stands beside it. */
export function Icon({ name, size = 18, className }: IconProps) {
  return (
    <svg className={className} width={size} height={size} aria-hidden="true">
      <use href={`${sprite}#i-${name}`} />
    </svg>
  );
}
