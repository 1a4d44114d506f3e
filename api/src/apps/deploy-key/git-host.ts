import { deployKeys } from '@homeport/dokku';
import { z } from 'zod';
import type { Ask } from '../../github/client.ts';
import { type GithubSettings, gitSshOf } from '../../github/settings.ts';
import { read } from '../continuous/repository.ts';

const metaAnswer = z.object({ ssh_keys: z.array(z.string()).max(1_000).optional() });

/** GitHub's git host, without a repository. */
type ProvenHost = Omit<deployKeys.GitHost, 'repository'>;

/**
 * GitHub's git host with its host keys, as `GET /meta` tells them over TLS, so that no server trusts the first one that answers. Of a
 * GitHub that names none, those of the console's settings. Null without any.
 */
export async function readGitHost(settings: GithubSettings, ask: Ask): Promise<ProvenHost | null> {
  const told = settings.hostKeys ?? (await read(ask, '/meta', metaAnswer)).ssh_keys ?? [];
  const hostKeys = told
    .filter((key) => deployKeys.hostKeySchema.safeParse(key).success)
    .slice(0, deployKeys.mostHostKeys);
  return hostKeys.length === 0 ? null : { ...gitSshOf(settings), hostKeys };
}
