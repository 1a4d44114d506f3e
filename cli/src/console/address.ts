import { isLoopbackAddress } from '@homeport/contract/network/loopback';
import { CommandProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';

/**
 * The origin of a console, by the address that a person gave. Without a scheme the address means https. Over http the token would be
 * read by everybody in between, so http is only for this machine, or for whoever asks for it.
 *
 * @throws CommandProblem for an address that cannot be used
 */
export function consoleOrigin(text: string, { plainHttp }: { plainHttp: boolean }): string {
  const url = parsed(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!url || !isWeb || url.pathname !== '/' || url.search || url.hash || url.username || url.password)
    throw new CommandProblem(exitCodes.usage, 'This is not the address of a console.', {
      recovery: 'Give it as https://console.example.com, without a path.',
    });
  if (url.protocol === 'http:' && !isThisMachine(url.hostname) && !plainHttp)
    throw new CommandProblem(
      exitCodes.usage,
      `Over http, everybody between here and ${url.host} could read the token. Nothing was sent.`,
      { recovery: 'Use https, or add --plain-http if you trust that network.' },
    );
  return url.origin;
}

function parsed(text: string): URL | null {
  const trimmed = text.trim();
  try {
    return new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  } catch {
    return null;
  }
}

const isThisMachine = (host: string) =>
  host === 'localhost' || isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'));
