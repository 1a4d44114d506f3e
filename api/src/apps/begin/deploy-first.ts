import type { BeginApp } from '@homeport/contract/apps/schema';
import type { GithubDeps } from '../../github/account.ts';
import { type DeployStep, deployArchive, deployRef } from '../commits/deploy-ref.ts';
import { starterArchive } from './starters.ts';

/** Deploys the code that a new app begins with. Throws `ProblemError` where it is not deployed. */
export async function deployFirst(
  github: GithubDeps,
  step: DeployStep,
  longname: string,
  begin: BeginApp,
): Promise<void> {
  if (begin.from === 'repository')
    return deployRef(github, step, { longname, repository: begin.fullName, ref: begin.branch });
  const pieces = async function* () {
    yield starterArchive(begin.starter);
  };
  await deployArchive(step, longname, pieces(), { failure: () => null });
}
