import { avatarBytes, avatarMostPixels } from '@homeport/contract/account/facts';
import { ownerFromSession } from '@homeport/store';
import type { GithubDeps } from '../github/account.ts';
import type { Handlers } from '../http/handlers.ts';
import { wrongField } from '../http/problem.ts';
import { keepAvatar, readAvatar, removeAvatar } from './avatars.ts';
import { fetchFromGithub } from './fetch-from-github.ts';
import { type PictureRefusal, readPicture } from './picture.ts';

const refusals: Record<PictureRefusal, string> = {
  too_long: `Choose a picture of at most ${avatarBytes / 1024} KB.`,
  no_picture: 'This is no PNG, JPEG or WebP picture.',
  too_large: `Choose a picture of at most ${avatarMostPixels} by ${avatarMostPixels} pixels.`,
};

export function avatarHandlers(deps: GithubDeps) {
  return {
    'GET /api/profile/avatar': ({ session, query }) => readAvatar(deps, session, query.version),
    'PUT /api/profile/avatar': async ({ session, body }) => {
      const picture = readPicture(Buffer.from(body.picture, 'base64'));
      if ('refused' in picture) throw wrongField('picture', refusals[picture.refused]);
      return keepAvatar(deps, ownerFromSession(session.userId), picture, 'chosen');
    },
    'POST /api/profile/avatar/from-github': async ({ session }) => {
      const owner = ownerFromSession(session.userId);
      const picture = await fetchFromGithub(deps, owner);
      return keepAvatar(deps, owner, picture, 'github');
    },
    'DELETE /api/profile/avatar': ({ session }) => removeAvatar(deps, session),
  } satisfies Partial<Handlers>;
}
