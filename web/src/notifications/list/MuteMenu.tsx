import type { NewsPage, NewsPiece } from '@homeport/contract/notifications/news-page';
import { IconButton } from '../../ui/button/Button.tsx';
import { Menu } from '../../ui/menu/Menu.tsx';
import type { MenuItem } from '../../ui/menu/menu-props.ts';
import { muteTimes } from './mute-times.ts';
import { type Mutable, useMute } from './use-mute.ts';

interface Props {
  piece: NewsPiece;
  subjects: NewsPage['subjects'];
}

/** What may be muted of a piece of news, each for so long: the incident while it goes on, its app, and its server. */
export function MuteMenu({ piece, subjects }: Props) {
  const mute = useMute();
  const mutable = mutableOf(piece, subjects);
  if (mutable.length === 0) return null;
  const items = mutable.flatMap((each, at): MenuItem[] => [
    ...(at > 0 ? [{ kind: 'separator' } as const] : []),
    ...muteTimes.map(({ label, minutes }) => ({
      label: `Mute ${each.name} ${label}`,
      onSelect: () => mute(each, minutes(new Date())),
    })),
  ]);
  return (
    <Menu trigger={<IconButton label={`More about: ${piece.text}`} icon="more" size="sm" />} items={items} />
  );
}

function mutableOf(piece: NewsPiece, subjects: NewsPage['subjects']): Mutable[] {
  const named = (of: 'app' | 'server', id: string | null): Mutable[] => {
    const subject = subjects.find((each) => each.of === of && each.id === id);
    if (!subject) return [];
    return [{ of, id: subject.id, name: of === 'server' ? `${subject.name} and its apps` : subject.name }];
  };
  const { state, overAt, incident } = piece;
  return [
    ...(state === 'firing' && overAt === null
      ? [{ of: 'incident', id: incident, name: 'this incident' } as const]
      : []),
    ...named('app', piece.appId),
    ...named('server', piece.serverId),
  ];
}
