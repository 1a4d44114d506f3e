import { forwardMessages } from '../mcp/forward.ts';
import type { Command } from './command.ts';

export const mcp: Command = {
  words: ['mcp'],
  summary:
    'Lets a coding agent on this machine read the console: standard input and output speak the Model Context Protocol, with the token of `homeport login --agent`. Your agent starts it.',
  json: 'The same: each answer is one line of JSON.',
  asksConsole: true,
  endsWithReader: true,
  async run({ terminal, signIn }) {
    return forwardMessages(await signIn('agent'), terminal);
  },
};
