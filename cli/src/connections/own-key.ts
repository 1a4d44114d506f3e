import { consoleUser } from '@homeport/contract/connections/facts';
import type { Bytes } from '@homeport/signer/bytes';
import { sha256Fingerprint } from '@homeport/signer/fingerprint';
import { KeyError } from '@homeport/signer/key-error';
import type { KeyType } from '@homeport/signer/key-types';
import { readPublicBlob } from '@homeport/signer/public-key';
import { CommandProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { oneLine } from '../output/safe-text.ts';
import { AgentGone } from '../ssh-agent/agent-frames.ts';
import { listKeys } from '../ssh-agent/ssh-agent.ts';
import { noAgent } from './agent-talk.ts';

export type OwnKey = { blob: Bytes; type: KeyType; fingerprint: string };

/** @throws CommandProblem unless the agent holds the one key that the account accepts */
export async function keyOf(
  agent: string,
  { name, accountKey }: { name: string; accountKey: string | null },
  stop: AbortSignal,
): Promise<OwnKey> {
  if (accountKey === null)
    throw new CommandProblem(
      exitCodes.waits,
      `${oneLine(name)} has no key for the account ${consoleUser} yet.`,
      {
        recovery: 'Open the server in the browser that holds the key, and let it make the account.',
      },
    );
  const blobs = await listKeys(agent, stop).catch((error: unknown) => {
    if (stop.aborted) throw new CommandProblem(exitCodes.interrupted, 'Interrupted.', { recovery: '' });
    throw error instanceof AgentGone ? noAgent(error) : error;
  });
  for (const blob of blobs) {
    const fingerprint = await sha256Fingerprint(blob);
    if (fingerprint === accountKey) return { blob, fingerprint, type: typeOf(blob) };
  }
  throw new CommandProblem(
    exitCodes.notAllowed,
    `Your SSH agent does not hold the key ${oneLine(accountKey)} of ${oneLine(name)}.`,
    {
      recovery:
        'Add it with `ssh-add` and the file of the key. A key that was made in the browser leaves it under Credentials, with Export.',
    },
  );
}

function typeOf(blob: Bytes): KeyType {
  try {
    return readPublicBlob(blob).type;
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    throw new CommandProblem(exitCodes.refused, `This key cannot be used: ${error.message}`, {
      recovery: 'Use a key of type ed25519, ECDSA or RSA. Keys of a security key (sk-…) are none of them.',
    });
  }
}
