import { secondsPerProcess } from '@homeport/contract/apps/processes/facts';
import type { Processes } from '@homeport/contract/apps/processes/schema';

/** Who owns the numbers, how long a process takes to start and to end, and when it is started again. */
export function settingsText({ scalable, restartPolicy, stopSeconds }: Processes): string {
  const [first = '', ...rest] = [
    scalable === false
      ? 'the formation in app.json sets the numbers; change them there and deploy'
      : `starting one takes about ${secondsPerProcess} s`,
    ...(stopSeconds === null ? [] : [`${stopSeconds} s to stop`]),
    ...(restartPolicy === null ? [] : [policyText(restartPolicy)]),
  ];
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' · ');
}

/** Docker's word for when a container that ended is started again. */
export function policyText(policy: string): string {
  const [name, tries] = policy.split(':');
  switch (name) {
    case 'no':
      return 'not restarted when it ends';
    case 'always':
      return 'restarted whenever it ends';
    case 'unless-stopped':
      return 'restarted unless it was stopped';
    case 'on-failure':
      return tries ? `restarted up to ${tries} times after failures` : 'restarted after failures';
    default:
      return `restart policy ${policy}`;
  }
}
