import { CommandProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Asked } from '../terminal.ts';

const windowsPipe = '\\\\.\\pipe\\openssh-ssh-agent';

/**
 * The socket of the person's SSH agent. A forwarded agent signs for whoever is root on this machine, so it is used only where the person
 * says so.
 *
 * @throws CommandProblem without an agent
 */
export function chooseAgent(
  { flags, terminal: { env } }: Asked,
  platform: NodeJS.Platform = process.platform,
): string {
  if (typeof flags.agent === 'string') return flags.agent;
  if (env.SSH_CONNECTION && flags['forwarded-agent'] !== true)
    throw new CommandProblem(
      exitCodes.notAllowed,
      'You came here by SSH, so the SSH agent is a forwarded one.',
      {
        recovery:
          'Whoever is root here could use it, too. Add --forwarded-agent if you trust this machine, or name another agent with --agent.',
      },
    );
  const path = env.SSH_AUTH_SOCK || (platform === 'win32' ? windowsPipe : '');
  if (path !== '') return path;
  throw new CommandProblem(exitCodes.notAllowed, 'There is no SSH agent here: SSH_AUTH_SOCK is not set.', {
    recovery: 'Start one with `eval "$(ssh-agent)"`, then `ssh-add` your key.',
  });
}
