import { type Command, hostCommand, type Outcome } from '../command.ts';
import { linesOf } from '../output.ts';

/** /usr/sbin is not in an ordinary user's PATH, but it is in sudo's. */
export function status(): Command {
  return hostCommand(['ufw', 'status'], { needsRoot: true });
}

export type FirewallRule = {
  readonly to: string;
  readonly action: string;
  readonly from: string;
  readonly comment: string;
};

/** Every kind is the answer of a server after a successful login. None of them is an authentication failure. */
export type Firewall =
  | { readonly kind: 'active'; readonly rules: readonly FirewallRule[]; readonly text: string }
  | { readonly kind: 'inactive'; readonly text: string }
  | { readonly kind: 'no_permission'; readonly text: string }
  | { readonly kind: 'not_installed'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string };

/** The status does not prove that a port is closed, because ports that Docker publishes bypass ufw. */
export function readStatus(outcome: Outcome): Firewall {
  const text = `${outcome.stdout}${outcome.stderr}`.trim();
  const lines = linesOf(outcome.stdout);
  if (lines.includes('Status: inactive')) return { kind: 'inactive', text };
  if (lines.includes('Status: active')) return { kind: 'active', rules: lines.flatMap(readRule), text };
  if (/need to be root|password is required/.test(text)) return { kind: 'no_permission', text };
  if (outcome.exitCode === 127 || /ufw: (?:command )?not found/.test(text))
    return { kind: 'not_installed', text };
  return { kind: 'failed', text };
}

const action = /^[A-Z]+(?: (?:IN|OUT|FWD))?$/;

/** `To`, `Action` and `From` in columns with two spaces or more between them, then the comment after a `#`. */
function readRule(line: string): FirewallRule[] {
  const hash = line.indexOf('#');
  const [to = '', word = '', ...from] = (hash < 0 ? line : line.slice(0, hash)).split(/ {2,}/);
  if (to === '' || to === 'To' || to.startsWith('--') || !action.test(word) || from.length === 0) return [];
  const comment = hash < 0 ? '' : line.slice(hash + 1).replace(/^ /, '');
  return [{ to, action: word, from: from.join('  ').trim(), comment }];
}
