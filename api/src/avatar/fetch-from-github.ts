import { avatarBytes, avatarUsualPixels } from '@homeport/contract/account/facts';
import type { Owner } from '@homeport/store';
import { z } from 'zod';
import { askAs, type GithubDeps } from '../github/account.ts';
import { exchangeBytes } from '../github/client.ts';
import { GithubFailure } from '../github/refusal.ts';
import { avatarOrigins } from '../github/settings.ts';
import { type Picture, readPicture } from './picture.ts';

const userSchema = z.object({ avatar_url: z.string().max(2_000) });

/**
 * The picture of the linked GitHub account. Its address comes from GitHub's answer, so only GitHub's own hosts are asked for it, and
 * without the token. Throws `ProblemError`.
 */
export function fetchFromGithub(deps: GithubDeps, owner: Owner): Promise<Picture> {
  return askAs(deps, owner, 'hand your picture over', async (ask) => {
    const told = await ask({ method: 'GET', path: '/user', reply: userSchema });
    if (told.kind === 'unchanged') throw new Error('An answer without an entity tag cannot be unchanged.');
    const address = URL.parse(told.body.avatar_url);
    if (!address || !avatarOrigins(deps.settings).includes(address.origin))
      throw new GithubFailure({ kind: 'unreadable' });
    // GitHub scales it.
    address.searchParams.set('s', String(avatarUsualPixels));
    const headers = { accept: 'image/*', 'user-agent': 'Homeport' };
    const { response, bytes } = await exchangeBytes(
      deps.settings,
      address,
      { method: 'GET', headers },
      avatarBytes,
    );
    if (response.status >= 500) throw new GithubFailure({ kind: 'server_error', status: response.status });
    const picture = readPicture(bytes);
    if (!response.ok || 'refused' in picture) throw new GithubFailure({ kind: 'unreadable' });
    return picture;
  });
}
