import type { Flag } from './command.ts';

/** The flags of every command that works on a server. */
export const connectionFlags: readonly Flag[] = [
  { name: 'agent', value: 'PATH', purpose: 'The socket of your SSH agent, in place of SSH_AUTH_SOCK.' },
  {
    name: 'forwarded-agent',
    purpose:
      'Allows the SSH agent that you forwarded to this machine. Whoever is root here could use it, too.',
  },
  {
    name: 'host-key',
    value: 'SHA256:…',
    purpose:
      'The fingerprint of the server’s host key, where nobody can be asked, or where you changed the key.',
  },
];
