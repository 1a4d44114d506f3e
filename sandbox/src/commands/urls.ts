import type { SandboxCommand } from '../machine/call.ts';
import { urlsOf } from '../machine/routes.ts';

export const urls: SandboxCommand = {
  name: 'urls',
  run: (call) => {
    const app = call.app(call.words[0]);
    for (const url of urlsOf(call.state, app)) call.out(url);
  },
};
