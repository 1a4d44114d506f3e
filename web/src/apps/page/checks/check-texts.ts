import type { CheckMode } from '@homeport/contract/apps/checks/facts';
import { secondsPerProcess } from '@homeport/contract/apps/processes/facts';

export const modeLabels: Record<CheckMode, string> = {
  checked: 'Check, then switch',
  skipped: 'Switch at once, unchecked',
  disabled: 'Stop the old ones first, unchecked',
};

/** What Dokku does, and what that costs. */
export const modeCosts: Record<CheckMode, string> = {
  checked: `Dokku runs the checks that app.json has for it. Without any, each container has to stay up for ${secondsPerProcess} s. Old and new run beside each other meanwhile.`,
  skipped: 'Dokku waits for nothing. A version that crashes goes live.',
  disabled:
    'Nothing of it runs from the stop of the old containers until the new ones have started. For volumes and ports that two cannot share.',
};

/** A check of a path for the site, to copy into app.json. Only `web` is asked over HTTP. */
export const snippet = JSON.stringify(
  {
    healthchecks: {
      web: [{ type: 'startup', name: 'answers', path: '/', attempts: 5, wait: 2, timeout: 5 }],
    },
  },
  null,
  2,
);
