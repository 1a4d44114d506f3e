import { type Command, hostCommand, type Outcome } from './command.ts';
import { linesOf } from './output.ts';

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

/** All of these are answers of a server that let us in; none of them is an authentication failure. */
export type Firewall =
  | { readonly kind: 'active'; readonly rules: readonly FirewallRule[]; readonly text: string }
  | { readonly kind: 'inactive'; readonly text: string }
  | { readonly kind: 'no_permission'; readonly text: string }
  | { readonly kind: 'not_installed'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string };

const rule = /^(\S.*?) {2,}([A-Z]+(?: (?:IN|OUT|FWD))?) {2,}(.*?)(?: *# ?(.*))?$/;

/** Status is no proof that a port is closed: what Docker publishes passes by. */
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

function readRule(line: string): FirewallRule[] {
  const found = rule.exec(line);
  if (!found || found[1] === 'To' || found[1]?.startsWith('--')) return [];
  return [
    { to: found[1] ?? '', action: found[2] ?? '', from: (found[3] ?? '').trim(), comment: found[4] ?? '' },
  ];
}
