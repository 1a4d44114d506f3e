import type { TerminalEvent } from '@homeport/contract/terminals/schema';

type Ended = Extract<TerminalEvent, { type: 'ended' }>;

/** Why a terminal ended, behind “The session ended:”. Null: the console said nothing, because the page lost it. */
export function endedText(ended: Pick<Ended, 'why' | 'exitCode'> | null): string {
  if (ended === null) return 'the page lost the console.';
  switch (ended.why) {
    case 'exited':
      return ended.exitCode === 137
        ? 'its container was stopped, or the shell was killed.'
        : ended.exitCode === null
          ? 'the shell ended.'
          : `the shell ended with exit code ${ended.exitCode}.`;
    case 'idle':
      return 'nobody typed for a quarter of an hour.';
    case 'time':
      return 'its time was over.';
    case 'forbidden':
      return 'terminals are no longer allowed on this server.';
    case 'gone':
      return 'the app or its server is gone.';
    case 'connection_lost':
      return 'the connection to the server was lost.';
    case 'flood':
      return 'it was given more than the server took.';
    case 'unknown':
      return 'Homeport could not check that it is still allowed.';
  }
}
