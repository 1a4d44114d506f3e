import type { ProposableRoute, ProposalState } from '@homeport/contract/proposals/facts';
import type { Tone } from '../ui/feedback/tones.ts';

const anew = 'from the image that the server built last, with the variables as they are saved when it runs';
const postdeploy = 'The postdeploy task of its app.json runs again.';

/** What an approval means for the app and its visitors, in words. A start runs the release step again, a restart does not. */
export const effectTexts: Record<ProposableRoute, string> = {
  'POST /api/apps/:id/start': `The app starts ${anew}, and answers its visitors. Its predeploy, release and postdeploy tasks run again.`,
  'POST /api/apps/:id/stop': 'The app stops, and answers nobody until somebody starts it again.',
  'POST /api/apps/:id/restart': `The processes of the app are replaced, one after the other, ${anew}. ${postdeploy}`,
  'POST /api/apps/:id/plan': `The limits change. An app that is not stopped is restarted ${anew}. ${postdeploy}`,
  'POST /api/apps/:id/scale': `The processes of this type are replaced ${anew}; with 0 none of them runs. ${postdeploy} Of a stopped app the number is only kept.`,
  'POST /api/apps/:id/processes/restart': `The processes of this type are replaced ${anew}; the others run on. ${postdeploy}`,
  'POST /api/apps/:id/domains': 'The app answers at this domain too, once DNS leads there.',
};

/** What became of a proposal that nobody can decide about any more. */
export const endTexts: Record<Exclude<ProposalState, 'open'>, { tone: Tone; text: string }> = {
  run: { tone: 'ok', text: 'You approved this, and the work has begun.' },
  declined: { tone: 'info', text: 'You declined this. Nothing has run.' },
  withdrawn: {
    tone: 'info',
    text: 'The program took this back, or proposed it anew: then that proposal waits behind the bell. Nothing has run.',
  },
  expired: { tone: 'info', text: 'Nobody decided within an hour. Nothing has run, and nothing will.' },
  revoked: {
    tone: 'info',
    text: 'The token that proposed this was revoked or has expired. Nothing has run, and nothing will.',
  },
};
