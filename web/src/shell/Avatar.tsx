import type { Session } from '@homeport/contract/identity/schema';
import { useState } from 'react';
import { classNames } from '../ui/class-names.ts';
import avatarStyles from '../ui/picture/avatar.module.css';
import { initials } from './initials.ts';

interface AvatarProps {
  user: Pick<Session['user'], 'name' | 'avatar'>;
  large?: boolean;
}

/** The person's picture. The initials take its place where there is none, or where it does not load. */
export function Avatar({ user, large = false }: AvatarProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const { name, avatar } = user;
  return (
    <span className={classNames(avatarStyles.avatar, large && avatarStyles.large)} aria-hidden="true">
      {avatar !== null && avatar !== failed ? (
        <img className={avatarStyles.image} src={avatar} alt="" onError={() => setFailed(avatar)} />
      ) : (
        initials(name)
      )}
    </span>
  );
}
