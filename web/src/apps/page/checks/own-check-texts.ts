import type { AppChecks, OwnCheck } from '@homeport/contract/apps/checks/schema';
import { secondsPerProcess } from '@homeport/contract/apps/processes/facts';

type OfType = AppChecks['types'][number];

/** What a check of app.json asks for. */
export function ownCheckText(check: OwnCheck): string {
  const { kind, attempts, waitSeconds, timeoutSeconds, delaySeconds } = check;
  const tries =
    attempts === 1
      ? `1 try of up to ${timeoutSeconds} s`
      : `${attempts} tries, ${waitSeconds} s apart, each of up to ${timeoutSeconds} s`;
  const parts = [
    asked(check),
    kind === 'uptime' ? '' : `${tries}.`,
    delaySeconds > 0 ? `Begins ${delaySeconds} s after the start.` : '',
    check.warns ? 'Only warns: the deploy goes on where it fails.' : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function asked({ kind, asks, content, port, uptimeSeconds }: OwnCheck): string {
  if (kind === 'path')
    return `Asks for ${asks}${port === null ? '' : ` on port ${port}`}: the answer has to be a success (2xx)${content === null ? '' : ` and hold “${content}”`}.`;
  if (kind === 'command') return `Runs “${asks}” in the container, which has to end with 0.`;
  if (kind === 'listening')
    return `Something has to listen on ${port === null ? 'the app’s port' : `port ${port}`} at all addresses, and not on localhost alone.`;
  return uptimeSeconds === 0 || uptimeSeconds === null
    ? 'The container has to run, without a restart.'
    : `The container has to stay up for ${uptimeSeconds} s, without a restart.`;
}

/** Why a deploy does not run the check; null: it does. */
export function unusedText({ use }: OwnCheck): string | null {
  if (use === 'untyped') return 'Not run: it has no type. Give it the type startup.';
  if (use === 'otherType') return 'Not run: a deploy runs the type startup alone.';
  return use === 'contradicts'
    ? 'Fails each deploy: it asks for two kinds of checks at once. Make two of it.'
    : null;
}

/** Dokku takes the checks of web from a CHECKS file where there is one, and not from app.json. */
export const isReplaced = ({ type }: OfType, { checksFile }: Pick<AppChecks, 'checksFile'>): boolean =>
  checksFile && type === 'web';

/** What the checks of a type come to; null: they speak for themselves. */
export function outcomeText(of: OfType, checks: Pick<AppChecks, 'manifest' | 'checksFile'>): string | null {
  const { type, own } = of;
  const { manifest } = checks;
  if (isReplaced(of, checks))
    return 'The CHECKS file of the repository has its checks, in place of app.json. They are not shown here. Dokku calls such a file out of date.';
  if (manifest === 'unknown') return null;
  if (manifest === 'unreadable')
    return 'The app.json of the last deploy cannot be read here, so its checks are not known.';
  if (own.some(({ use }) => use === 'runs' || use === 'contradicts')) return null;
  // Dokku adds its own only where a type has no check at all, and for web one more that only warns.
  if (own.length > 0 && type === 'web')
    return 'So nothing can fail a deploy: Dokku adds no check of its own to these.';
  return own.length > 0
    ? `So Dokku waits ${secondsPerProcess} s, and the container has to run then.`
    : `app.json has no check for it: the container has to stay up for ${secondsPerProcess} s.`;
}

/** Whether a deploy asks the site itself, or takes nothing from app.json: then the snippet is of no use. */
export const asksPath = ({ types, checksFile }: AppChecks): boolean =>
  checksFile ||
  types.some(
    ({ type, own }) => type === 'web' && own.some(({ kind, use }) => kind === 'path' && use === 'runs'),
  );
