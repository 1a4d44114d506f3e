import type { Firewall } from '@homeport/contract/servers/schema';
import { firewall } from '@homeport/dokku';
import type { ServerRow } from '../records/server-record.ts';
import { asProblem, type RemoteConnection, runCommand } from '../remote/run-command.ts';
import { accountOf } from '../remote/server-access.ts';

/** Asks `ufw status`. A missing or inactive ufw is an answer; only a refused login is a failure. */
export async function checkFirewall(
  connection: RemoteConnection,
  server: ServerRow,
  signal: AbortSignal,
): Promise<Firewall> {
  const account = accountOf(server, 'root');
  const command = account.kind === 'plain' ? { ...firewall.status(), needsRoot: false } : firewall.status();
  try {
    const ran = await runCommand(connection, account, command, { accept: 'any', deadlineMs: 20_000 }, signal);
    const answer = firewall.readStatus(ran);
    return {
      state: answer.kind,
      text: answer.text,
      command: { step: 'firewall', ...ran.record },
      checkedAt: Date.now(),
    };
  } catch (error) {
    throw asProblem(error);
  }
}
