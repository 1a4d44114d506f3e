import { deployInstructionsSchema } from '@homeport/contract/apps/schema';
import { nameOfCreation } from '@homeport/contract/operations/creation-title';
import type { Operation } from '@homeport/contract/operations/schema';
import { earlyEnd, earlyEndAdvice } from '../operations/early-end.ts';
import type { OperationLook } from '../operations/operation-look.ts';
import { DeployCommands } from './deploy/DeployCommands.tsx';

/** The window stays until the creation ends. On success it shows how to deploy. */
export const creationLook: OperationLook = {
  locked: true,
  titleOf: ({ title, state, longname, serverName }) => {
    if (state === 'succeeded') return `${nameOfCreation(title)} is created`;
    const end = earlyEnd(state);
    return end ? `The creation of ${longname} ${end}` : `Creating ${longname} on ${serverName}`;
  },
  descriptionOf: ({ state, result }) =>
    state === 'succeeded'
      ? (begunTexts[String(result.begun)] ?? 'Deploy to it with git.')
      : earlyEnd(state)
        ? earlyEndAdvice
        : 'This window stays until the app is ready. The work goes on if the connection drops.',
  okHint: 'OK opens the app once it is finished',
  onOk: ({ serverKey, longname }, go) => {
    if (serverKey && longname) go(`/app/${encodeURIComponent(serverKey)}/${encodeURIComponent(longname)}`);
  },
  after: instructionsOf,
};

/** By what the creation deployed. */
const begunTexts: Record<string, string> = {
  starter: 'It runs already. Change its files with git.',
  repository: 'It runs already. Its page sets up a deploy of each push.',
};

function instructionsOf({ state, result }: Operation) {
  if (state !== 'succeeded') return null;
  const read = deployInstructionsSchema.safeParse(result.instructions);
  return read.success && <DeployCommands instructions={read.data} />;
}

/** The destruction also removes the app's page, so OK leads to the list. */
export const destructionLook: OperationLook = {
  titleOf: ({ state, longname, serverName }) => {
    if (state === 'succeeded') return `${longname} is destroyed`;
    const end = earlyEnd(state);
    return end ? `The destruction of ${longname} ${end}` : `Destroying ${longname} on ${serverName}`;
  },
  onOk: (_operation, go) => go('/apps'),
};

/** What the command prints is its result. */
export const commandLook: OperationLook = { keepsLog: true };
