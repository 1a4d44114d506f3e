import { CommandProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { oneLine } from '../output/safe-text.ts';
import { askLine } from '../sign-in/ask-line.ts';
import { placesOf } from '../sign-in/places.ts';
import type { Asked } from '../terminal.ts';
import type { ShownHost } from './agent-talk.ts';
import { lookUpHost } from './known-hosts.ts';
import { keepPin } from './trust.ts';

/** A server as the console describes it. */
export interface AskedServer {
  origin: string;
  id: string;
  name: string;
  ip: string;
  port: number;
}

/**
 * Decides about a host key that this terminal does not know: by the command line, by the person's known_hosts, or by a question, as
 * ssh does. Resolves with the pin, which is kept.
 *
 * @throws CommandProblem for a key that is not accepted, and where nobody can be asked
 */
export async function acceptHost(
  asked: Asked,
  server: AskedServer,
  { fingerprint, algorithm }: ShownHost,
): Promise<string> {
  const { terminal, flags } = asked;
  const { name, ip, port, origin, id: serverId } = server;
  const shown = `${oneLine(name)} (${oneLine(ip)}, port ${port}) shows the ${oneLine(algorithm)} key ${fingerprint}`;
  const named = flags['host-key'];
  if (named !== undefined && named !== fingerprint)
    throw new CommandProblem(exitCodes.hostKey, `${shown}, and not the one that you named.`, {
      recovery:
        'Nothing was signed. Compare it on the server: ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub',
    });
  if (named === undefined) await compareOrAsk(asked, server, { fingerprint, shown });
  await keepPin(placesOf(terminal), { origin, serverId, fingerprint, at: terminal.now() });
  return fingerprint;
}

async function compareOrAsk(
  { terminal }: Asked,
  { ip, port }: AskedServer,
  { fingerprint, shown }: { fingerprint: string; shown: string },
): Promise<void> {
  const known = await lookUpHost(terminal.home, { host: ip, port }, fingerprint);
  if (known.kind === 'other')
    throw new CommandProblem(
      exitCodes.hostKey,
      `${shown}, and your known_hosts does not have it for this host.`,
      {
        recovery: `Nothing was signed. If you are sure of the key, name it: --host-key ${fingerprint}`,
      },
    );
  if (known.kind === 'known') {
    await terminal.err(`${shown}, known from ~/.ssh/known_hosts:${known.line}.\n`);
    return;
  }
  await terminal.err(`${shown}. This terminal does not know it yet.\n`);
  const answer = await askLine(terminal, 'Is it the server’s own key? Type yes, or the fingerprint: ', {
    isSecret: false,
    orElse: `Compare it on the server, then name it: --host-key ${fingerprint}`,
  });
  if (answer.trim() === 'yes' || answer.trim() === fingerprint) return;
  throw new CommandProblem(exitCodes.declined, 'The host key was not accepted. Nothing was signed.', {
    recovery: 'On the server, `ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub` prints the fingerprint.',
  });
}
