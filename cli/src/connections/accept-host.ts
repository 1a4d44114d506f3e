import { CommandProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { oneLine } from '../output/safe-text.ts';
import { askLine } from '../sign-in/ask-line.ts';
import { placesOf } from '../sign-in/places.ts';
import type { Asked } from '../terminal.ts';
import type { ShownHost } from './agent-talk.ts';
import { lookUpHost } from './known-hosts.ts';
import { keepPin, otherWithKey, type Pin } from './trust.ts';

/** A server as the console describes it. */
export interface AskedServer {
  origin: string;
  id: string;
  name: string;
  ip: string;
  port: number;
  /** The fingerprint of the key that signs there. */
  key: string;
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
  const { name, ip, port } = server;
  const shown = `${oneLine(name)} (${oneLine(ip)}, port ${port}) shows the ${oneLine(algorithm)} key ${fingerprint}`;
  const named = flags['host-key'];
  if (named !== undefined && named !== fingerprint)
    throw new CommandProblem(exitCodes.hostKey, `${shown}, and not the one that you named.`, {
      recovery:
        'Nothing was signed. Compare it on the server: ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub',
    });
  if (named === undefined) await compareOrAsk(asked, server, { fingerprint, shown });
  await keepPin(placesOf(terminal), pinOf(server, fingerprint));
  return fingerprint;
}

/**
 * Asks whether a server whose host key this terminal knows is still the one that was meant, where the console names it, its address or
 * its key in another way than before: a console that lies could lead a command to another server of the person.
 *
 * @throws CommandProblem where it is not, and where nobody can be asked
 */
export async function confirmSameServer(
  { terminal, flags }: Asked,
  server: AskedServer,
  kept: Pin,
): Promise<void> {
  const now = pinOf(server, kept.fingerprint);
  if (describe(now) === describe(kept)) return;
  if (flags['host-key'] !== kept.fingerprint) {
    await terminal.err(
      `The console calls this server ${describe(now)}. This terminal knows it as ${describe(kept)}.\n`,
    );
    const answer = await askLine(terminal, 'Is it the same server? Type yes: ', {
      isSecret: false,
      orElse: `If it is, name its host key: --host-key ${kept.fingerprint}`,
    });
    if (answer.trim() !== 'yes')
      throw new CommandProblem(exitCodes.declined, 'The server was not accepted. Nothing was signed.', {
        recovery: 'Compare the names, the addresses and the keys with those on the server’s page.',
      });
  }
  await keepPin(placesOf(terminal), now);
}

const pinOf = ({ origin, id, name, ip, port, key }: AskedServer, fingerprint: string): Pin => ({
  ...{ origin, serverId: id, fingerprint, name, ip, port, key },
});

const describe = ({ name, ip, port, key }: Pin) =>
  `${oneLine(name)} (${oneLine(ip)}, port ${port}) with the key ${oneLine(key)}`;

async function compareOrAsk(
  { terminal }: Asked,
  { ip, port, origin, id: serverId }: AskedServer,
  { fingerprint, shown }: { fingerprint: string; shown: string },
): Promise<void> {
  const other = await otherWithKey(placesOf(terminal), { origin, serverId, fingerprint });
  const known = await lookUpHost(terminal.home, { host: ip, port }, fingerprint);
  if (known.kind === 'other')
    throw new CommandProblem(
      exitCodes.hostKey,
      `${shown}, and your known_hosts does not have it for this host.`,
      {
        recovery: `Nothing was signed. If you are sure of the key, name it: --host-key ${fingerprint}`,
      },
    );
  if (known.kind === 'known' && !other) {
    await terminal.err(`${shown}, known from ~/.ssh/known_hosts:${known.line}.\n`);
    return;
  }
  await terminal.err(
    other
      ? `${shown}. This terminal knows that key as the one of ${oneLine(other.name)}.\n`
      : `${shown}. This terminal does not know it yet.\n`,
  );
  const answer = await askLine(terminal, 'Is it the server’s own key? Type yes, or the fingerprint: ', {
    isSecret: false,
    orElse: `Compare it on the server, then name it: --host-key ${fingerprint}`,
  });
  if (answer.trim() === 'yes' || answer.trim() === fingerprint) return;
  throw new CommandProblem(exitCodes.declined, 'The host key was not accepted. Nothing was signed.', {
    recovery: 'On the server, `ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub` prints the fingerprint.',
  });
}
