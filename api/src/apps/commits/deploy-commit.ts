import { privateWays } from '@homeport/contract/github/facts';
import { appName, failureOf, git } from '@homeport/dokku';
import { z } from 'zod';
import type { GithubDeps } from '../../github/account.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type Step,
  type StepContext,
} from '../../operations/definition.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { readAgain } from '../changes/control-app.ts';
import { onAppInput } from '../changes/on-app.ts';
import { addToGithub, makeKey } from '../deploy-key/make-key.ts';
import { deadlineMs, deployRef, refuseFailed } from './deploy-ref.ts';

const deployCommitInput = onAppInput.extend({
  repository: z.string(),
  ref: z.string(),
  way: z.enum(privateWays).default('archive'),
});

type Context = StepContext<z.output<typeof deployCommitInput>>;

/**
 * Deploys one commit of a repository, without GitHub Actions. The server itself fetches a public repository, and a private one with the
 * app's own deploy key if the person chose that; else the console passes the archive on. Dokku builds again when it is asked again, so
 * the step can be repeated.
 */
export function deployCommit(github: GithubDeps): AnyOperationDefinition {
  const { store } = github;
  return defineOperation<z.output<typeof deployCommitInput>>({
    kind: 'app.deploy-commit',
    input: deployCommitInput,
    title: ({ repository, ref }) => `Deploy of ${shortRef(ref)} from ${repository}`,
    steps: ({ repository, ref, way }) => [
      ...(way === 'key' ? keySteps(github, repository) : []),
      {
        key: 'deploy',
        title: `Fetch ${shortRef(ref)} from ${repository} and deploy it`,
        run: async (context) => {
          if (way === 'key') return deployWithKey(context);
          await deployRef(github, context, { longname: context.input.longname, repository, ref });
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

function keySteps(github: GithubDeps, repository: string): Step<z.output<typeof deployCommitInput>>[] {
  return [
    {
      key: 'key',
      title: 'Make the app’s deploy key on the server',
      run: (context) => makeKey(github, context),
    },
    {
      key: 'github',
      title: `Add it to ${repository} as a key that only reads`,
      run: (context) => addToGithub(github, context),
    },
  ];
}

async function deployWithKey({ input, run }: Context): Promise<undefined> {
  const app = appName(input.longname);
  const remote = git.keyedRemote(app, input.repository);
  const command = git.syncAndBuild(app, remote, git.branchSchema.parse(input.ref));
  refuseFailed(failureOf(await run('apps', command, { accept: 'any', deadlineMs })));
}

/** A commit's whole name is shortened as git shortens it. */
const shortRef = (ref: string) => (/^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 7) : ref);
