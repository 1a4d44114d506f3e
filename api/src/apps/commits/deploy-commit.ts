import { appName, failureOf, git } from '@homeport/dokku';
import { z } from 'zod';
import type { GithubDeps } from '../../github/account.ts';
import { publicSite } from '../../github/settings.ts';
import { ProblemError } from '../../http/problem.ts';
import { type AnyOperationDefinition, defineOperation } from '../../operations/definition.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { readAgain } from '../changes/control-app.ts';
import { onAppInput } from '../changes/on-app.ts';

const deployCommitInput = onAppInput.extend({ repository: z.string(), ref: z.string() });

/** A build takes as long as one after a push. */
const deadlineMs = 30 * 60_000;

/**
 * Has the server itself fetch a public repository and deploy one of its commits, without GitHub Actions and without credentials on the
 * server. Dokku fetches and builds again when it is asked again, so the step can be repeated.
 */
export function deployCommit({ store, settings }: GithubDeps): AnyOperationDefinition {
  return defineOperation<z.output<typeof deployCommitInput>>({
    kind: 'app.deploy-commit',
    input: deployCommitInput,
    title: ({ repository, ref }) => `Deploy of ${shortRef(ref)} from ${repository}`,
    steps: ({ repository, ref }) => [
      {
        key: 'deploy',
        title: `Fetch ${shortRef(ref)} from ${repository} and deploy it`,
        run: async (context) => {
          const remote = git.remoteSchema.parse(`${publicSite(settings)}/${repository}.git`);
          const command = git.syncAndBuild(
            appName(context.input.longname),
            remote,
            git.branchSchema.parse(ref),
          );
          const failure = failureOf(await context.run('apps', command, { accept: 'any', deadlineMs }));
          if (failure) throw new ProblemError('remote_failed', failureSentence(failure));
          return undefined;
        },
      },
      {
        key: 'read',
        title: 'Read the app’s state',
        run: async (context) => {
          await readAgain(store, context);
          await context.toast('ok', 'Commit deployed');
          return undefined;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
    onFailure: (context) => readAgain(store, context),
  });
}

/** A commit's whole name is shortened as git shortens it. */
const shortRef = (ref: string) => (/^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 7) : ref);
