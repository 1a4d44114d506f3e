import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { workflowPath } from '@homeport/contract/github/facts';
import { workflowMark } from '@homeport/contract/github/workflow';
import { sealFor } from '@homeport/stand-ins/testing';
import { z } from 'zod';
import { commitAnswer } from '../../apps/commits/read-commit.ts';
import { commitWorkflow } from '../../apps/continuous/commit-workflow.ts';
import { repositoryAnswer, sealingKeyAnswer } from '../../apps/continuous/plan-deployment.ts';
import {
  branchAnswer,
  read,
  readFile,
  readIfThere,
  readReadmeFile,
  repositoryPath,
} from '../../apps/continuous/repository.ts';
import { holdReadOnlyKey, removeDeployKey } from '../../apps/deploy-key/at-github.ts';
import { readGitHost } from '../../apps/deploy-key/git-host.ts';
import { askWith } from '../../github/client.ts';
import { readPerson } from '../../github/identity.ts';
import { GithubFailure } from '../../github/refusal.ts';
import { repositorySchema } from '../../github/repositories/repository-record.ts';
import { randomPublicKey } from '../plant.ts';
import type { ServiceCheck, ServiceChecks } from './check.ts';

type Given = { site: string; token: string; repository: string };

const secretAnswer = z.object({ name: z.string() });

/** The repository, and the names under which something is made there. */
function repositoryStage(given: Given) {
  const { repository, token } = given;
  const settings = { site: given.site };
  const ask = askWith(settings, token);
  const run = randomBytes(5).toString('hex');
  const secret = repositoryPath(repository, 'actions', 'secrets', `HOMEPORT_LIVE_${run.toUpperCase()}`);
  const longname = `homeport-live-${run}`;
  const workflow = `${workflowMark(longname)}\nname: Homeport live check\non: workflow_dispatch\njobs: {}\n`;
  const branchOf = async () => (await read(ask, repositoryPath(repository), repositoryAnswer)).default_branch;
  const fileNow = async () => readFile(ask, repository, { path: workflowPath, branch: await branchOf() });
  return { ...given, settings, ask, run, secret, longname, workflow, branchOf, fileNow };
}
type Stage = ReturnType<typeof repositoryStage>;

/**
 * The console's calls at GitHub, tried in one throw-away repository: a secret and a deploy key under random names, and the workflow file, which must
 * not be there before. The workflow starts by hand only, so no run begins.
 */
export function githubChecks(given: Given): ServiceChecks {
  const stage = repositoryStage(given);
  const { ask, repository, secret, workflow, branchOf, fileNow } = stage;
  return {
    checks: [...readingChecks(stage), ...changingChecks(stage)],
    cleanUp: {
      name: 'GitHub: nothing is left in the repository',
      run: async () => {
        if (await readIfThere(ask, secret, secretAnswer))
          await ask({ method: 'DELETE', path: secret, reply: z.unknown() });
        const file = await fileNow();
        // A file that somebody else wrote stays.
        if (file?.text === workflow)
          await ask({
            method: 'DELETE',
            path: repositoryPath(repository, 'contents', workflowPath),
            body: { message: 'Remove the live check', sha: file.sha, branch: await branchOf() },
            reply: z.unknown(),
          });
        deepEqual(
          [await readIfThere(ask, secret, secretAnswer), (await fileNow())?.text === workflow],
          [null, false],
        );
      },
    },
  };
}

function readingChecks({ ask, settings, token, repository, branchOf }: Stage): ServiceCheck[] {
  return [
    {
      name: 'GitHub: the token has a person',
      run: async () => {
        ok((await readPerson(settings, { token, scopes: [] })).id > 0);
      },
    },
    {
      name: 'GitHub: the repositories are listed, and not sent again while nothing changed',
      run: async () => {
        const list = (etag: string | null) =>
          ask({
            method: 'GET',
            path: '/user/repos',
            query: { sort: 'pushed', per_page: '100', page: '1' },
            etag,
            reply: z.array(repositorySchema),
          });
        const first = await list(null);
        if (first.kind !== 'read') throw new Error('The first answer cannot be unchanged.');
        equal((await list(first.etag)).kind, 'unchanged');
      },
    },
    {
      name: 'GitHub: the default branch and its commit are told',
      run: async () => {
        const branch = await branchOf();
        const { commit } = await read(ask, repositoryPath(repository, 'branches', branch), branchAnswer);
        const found = await read(ask, repositoryPath(repository, 'commits', branch), commitAnswer);
        equal(found.sha, commit.sha);
      },
    },
    {
      name: 'GitHub: the keys of its git host are told',
      run: async () => {
        ok(((await readGitHost(settings, ask))?.hostKeys.length ?? 0) > 0);
      },
    },
    {
      name: 'GitHub: the readme can be asked for',
      run: async () => void (await readReadmeFile(ask, repository)),
    },
    {
      name: 'GitHub: a wrong token is refused',
      run: async () => {
        await rejects(readPerson(settings, { token: `gho_${'0'.repeat(36)}`, scopes: [] }), GithubFailure);
      },
    },
  ];
}

function changingChecks(stage: Stage): ServiceCheck[] {
  const { ask, repository, run, secret, longname, workflow, branchOf, fileNow } = stage;
  return [
    {
      name: 'GitHub: a secret is sealed, set, told by name, and replaced',
      run: async () => {
        const path = repositoryPath(repository, 'actions', 'secrets', 'public-key');
        const { key, key_id } = await read(ask, path, sealingKeyAnswer);
        for (const value of ['first', 'second'])
          await ask({
            method: 'PUT',
            path: secret,
            body: { encrypted_value: sealFor(key, value), key_id },
            reply: z.unknown(),
          });
        ok((await readIfThere(ask, secret, secretAnswer))?.name.includes(run.toUpperCase()));
      },
    },
    {
      name: 'GitHub: a deploy key that only reads is added once, found again, and removed',
      run: async () => {
        const publicKey = randomPublicKey().split(' ').slice(0, 2).join(' ');
        const wanted = { repository, title: longname, publicKey };
        const { id } = await holdReadOnlyKey(ask, { ...wanted, id: null });
        try {
          deepEqual(await holdReadOnlyKey(ask, { ...wanted, id }), { id, isNew: false });
          deepEqual(await holdReadOnlyKey(ask, { ...wanted, id: null }), { id, isNew: false });
        } finally {
          equal(await removeDeployKey(ask, { repository, id: null, publicKey }), true);
        }
        equal(await removeDeployKey(ask, { repository, id, publicKey }), false);
      },
    },
    {
      name: 'GitHub: the workflow is committed once, and found again',
      run: async () => {
        equal(await fileNow(), null, `${workflowPath} is in the repository already.`);
        const wanted = { repository, branch: await branchOf(), longname, workflow };
        equal((await commitWorkflow(ask, wanted)).kind, 'committed');
        equal((await fileNow())?.text, workflow);
        equal((await commitWorkflow(ask, wanted)).kind, 'there');
      },
    },
  ];
}
