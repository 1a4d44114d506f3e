import type { ProposableRoute, ProposalState } from '@homeport/contract/proposals/facts';
import type { Tone } from '../ui/feedback/tones.ts';

const anew = 'from the image that the server built last, with the variables as they are saved now';

/** What an approval means for visitors of the app, in words. */
export const effectTexts: Record<ProposableRoute, string> = {
  'POST /api/apps/:id/start': `The app starts ${anew}, and answers its visitors.`,
  'POST /api/apps/:id/stop': 'The app stops, and answers nobody until somebody starts it again.',
  'POST /api/apps/:id/restart': `The processes of the app are replaced, one after the other, ${anew}.`,
  'POST /api/apps/:id/plan': `The limits change. An app that runs is restarted ${anew}.`,
  'POST /api/apps/:id/scale': `The processes of this type are replaced ${anew}; with 0 none of them runs.`,
  'POST /api/apps/:id/processes/restart': `The processes of this type are replaced ${anew}; the others run on.`,
  'POST /api/apps/:id/domains': 'The app answers at this domain too, once DNS leads there.',
};

/** What became of a proposal that nobody can decide about any more. */
export const endTexts: Record<Exclude<ProposalState, 'open'>, { tone: Tone; text: string }> = {
  run: { tone: 'ok', text: 'You approved this, and the work has begun.' },
  declined: { tone: 'info', text: 'You declined this. Nothing has run.' },
  withdrawn: { tone: 'info', text: 'The program took this back. Nothing has run.' },
  expired: { tone: 'info', text: 'Nobody decided within an hour. Nothing has run, and nothing will.' },
  revoked: {
    tone: 'info',
    text: 'The token that proposed this was revoked or has expired. Nothing has run, and nothing will.',
  },
};
