import type { ProposableRoute, ProposalState } from '@homeport/contract/proposals/facts';
import type { Tone } from '../ui/feedback/tones.ts';

/** What an approval means for visitors of the app, in words. */
export const effectTexts: Record<ProposableRoute, string> = {
  'POST /api/apps/:id/start': 'The app starts, and answers its visitors.',
  'POST /api/apps/:id/stop': 'The app stops, and answers nobody until somebody starts it again.',
  'POST /api/apps/:id/restart': 'The processes of the app are replaced, one after the other.',
  'POST /api/apps/:id/rebuild': 'The app is built anew from the code that it has, and then deployed.',
  'POST /api/apps/:id/plan': 'The limits change, and the app restarts if it runs.',
  'POST /api/apps/:id/scale': 'The processes of this type are replaced; with 0 none of them runs.',
  'POST /api/apps/:id/processes/restart': 'The processes of this type are replaced; the others run on.',
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
