import { ownCheckPort } from '@homeport/contract/apps/checks/facts';
import type { AppChecks, OwnCheck } from '@homeport/contract/apps/checks/schema';
import { secondsPerProcess } from '@homeport/contract/apps/processes/facts';

type OfType = AppChecks['types'][number];

/** What a check of app.json asks for. */
export function ownCheckText(check: OwnCheck, type: string): string {
  const { kind, delaySeconds } = check;
  const parts = [
    asked(check, type),
    kind === 'uptime' ? '' : `${triesOf(check)}.`,
    delaySeconds > 0 ? `Begins ${delaySeconds} s after the start.` : '',
    check.warns ? 'Only warns: the deploy goes on where it fails.' : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Dokku doubles the wait after each try of a command or of a port, but not of a path. */
function triesOf({ kind, attempts, waitSeconds, timeoutSeconds }: OwnCheck): string {
  if (attempts === 1) return `1 try of up to ${timeoutSeconds} s`;
  const longer = kind !== 'path' && attempts > 2 ? ' and then twice as long each time' : '';
  return `${attempts} tries, ${waitSeconds} s apart${longer}, each of up to ${timeoutSeconds} s`;
}

function asked(check: OwnCheck, type: string): string {
  const { kind, asks, content, port, https, headers, uptimeSeconds } = check;
  // Dokku tells a check of another type than web no port of the app.
  const named = port ?? (type === 'web' ? null : ownCheckPort);
  if (kind === 'path')
    return `Asks for ${asks}${named === null ? '' : ` on port ${named}`}${https ? ' over HTTPS' : ''}${headers ? ', with headers of its own' : ''}: the answer has to be a success (2xx)${content === null ? '' : `, and the first that is one has to hold “${content}”`}.`;
  if (kind === 'command') return `Runs “${asks}” in the container, which has to end with 0.`;
  if (kind === 'listening')
    return `Something has to listen on ${named === null ? 'the app’s port' : `port ${named}`} at all addresses, and not on localhost alone.`;
  return uptimeSeconds === 0 || uptimeSeconds === null
    ? 'The container has to run, without a restart.'
    : `The container has to stay up for ${uptimeSeconds} s, without a restart.`;
}

/** Why a deploy does not run the check, or why it fails in any case; null: neither. */
export function unusedText({ use, warns }: OwnCheck): string | null {
  if (use === 'untyped') return 'Not run: it has no type. Give it the type startup.';
  if (use === 'otherType') return 'Not run: a deploy runs the type startup alone.';
  if (use === 'runs') return null;
  const fails = warns ? 'Never passes' : 'Fails each deploy that runs it';
  return use === 'contradicts'
    ? `${fails}: it asks for two kinds of checks at once. Make two of it.`
    : `${fails}: there is no such port, or its scheme is neither http nor https.`;
}

const failureTexts: Record<OwnCheck['onFailure'], string | null> = {
  none: null,
  command:
    'Where it fails, Dokku runs a command of the repository as root on the server, outside the container.',
  url: 'Where it fails, Dokku sends the errors to an address that the repository names.',
  both: 'Where it fails, Dokku runs a command of the repository as root on the server, outside the container, and sends the errors to an address.',
};

/** What a deploy does besides where the check fails; null: nothing. */
export const failureText = (check: OwnCheck): string | null =>
  counts(check) ? failureTexts[check.onFailure] : null;

const counts = ({ use }: OwnCheck) => use !== 'untyped' && use !== 'otherType';

/** Dokku takes the checks of web from a CHECKS file where there is one, and not from app.json. */
export const isReplaced = ({ type }: OfType, { checksFile }: Pick<AppChecks, 'checksFile'>): boolean =>
  checksFile && type === 'web';

/** What the checks of a type come to; null: they speak for themselves. */
export function outcomeText(of: OfType, checks: Pick<AppChecks, 'manifest' | 'checksFile'>): string | null {
  const { type, own } = of;
  const { manifest } = checks;
  if (isReplaced(of, checks))
    return 'A CHECKS file of the repository takes the place of what app.json has for it. It is not shown here. Dokku calls such a file out of date.';
  if (manifest === 'unknown') return null;
  if (manifest === 'unreadable')
    return 'The app.json of the last deploy cannot be read here, so its checks are not known.';
  // Those that count come first, so that none is among those that are not shown.
  if (own.some(counts)) return null;
  // Dokku adds its own only where a type has no check at all, and for web one more that only warns.
  if (own.length > 0 && type === 'web')
    return 'So nothing can fail a deploy: Dokku adds no check of its own to these.';
  return own.length > 0
    ? `So Dokku waits ${secondsPerProcess} s, and the container has to run then.`
    : `app.json has no check for it: the container has to stay up for ${secondsPerProcess} s, unless the server has another time.`;
}

/** Whether a deploy asks the site itself, or takes nothing from app.json: then the snippet is of no use. */
export const asksPath = ({ types, checksFile }: AppChecks): boolean =>
  checksFile ||
  types.some(
    ({ type, own, more }) =>
      type === 'web' &&
      // Where all that are shown run, one that is not shown may ask for a path.
      ((more > 0 && own.every(counts)) || own.some(({ kind, use }) => kind === 'path' && use === 'runs')),
  );
