import { messages } from '@homeport/contract/messages';
import { proxyLimits } from '@homeport/contract/proxies/facts';
import type { ProblemCode } from './compile-site.ts';
import type { Warning } from './warnings.ts';

const problems: Record<ProblemCode, string> = {
  path_refused: 'Enter a path that begins with /, without ? and #, such as /blog.',
  path_of_subdirectory: messages.subdirectoryOfAll,
  target_not_a_url: 'Enter the address of a website, such as https://blog.example.net.',
  target_scheme: 'The address must begin with http:// or https://.',
  target_user: 'Leave the user and the password out of the address.',
  target_query: 'Leave ? and # and what follows them out of the address.',
  target_path: 'The path of the address has two slashes side by side or a NUL. Correct it.',
  target_port: 'Browsers refuse this port, because another protocol uses it. Choose another one.',
  target_loop: 'This address is the proxy’s own domain, so requests would come back without end.',
  host_refused: 'Enter a host name such as shop.example.com, with a port if need be.',
  prefix_refused: 'Enter a path such as /store/7, without ? and #.',
  rewrite_pattern:
    'This is no pattern in RE2 syntax. Look-around and back-references are not possible; a text without ^ is a plain prefix.',
  rewrite_size: `This pattern is too large: it compiles to more than ${proxyLimits.patternInstructions} instructions. Counted repetitions such as {100} and classes such as \\pL are written out. Use * or +, or several rules.`,
  rewrite_together: `The patterns of this proxy compile to more than ${proxyLimits.patternInstructionsOfProxy.toLocaleString('en')} instructions together. Use plain prefixes, or * and + in place of counted repetitions.`,
  rewrite_group: 'The destination names a group that the pattern does not have.',
  rewrite_path: 'Enter a destination that begins with /, without ? and #.',
  domain_refused: 'Enter a domain such as example.com.',
};

/** What is wrong with a part of a proxy and how to mend it, in a sentence for its field. */
export const problemText = (code: ProblemCode): string => problems[code];

/** What is probably not meant, in a sentence for the person who owns the proxy. */
export function warningText(warning: Warning): string {
  switch (warning.code) {
    case 'never_reached':
      return `Never reached: rule ${warning.by} takes every path of it.`;
    case 'rewrite_never_fits':
      return 'The rewrite never fits: no path of this rule begins with its source.';
    case 'pattern_takes_short_paths':
      return `The pattern is large, so a path of more than ${warning.characters.toLocaleString('en')} characters is refused with 400.`;
    case 'other_scheme':
      return 'The website is asked over http, others of this domain over https: what goes over http can be read on the way.';
    case 'private_target':
      return 'The target has a private address. The proxy service asks it only where its operator allows that network.';
    case 'loop':
      return 'The target is the proxy’s own domain. Requests that come back too often are ended with 508.';
    case 'bare_redirect':
      return 'Browsers that ask for the path without a slash at its end are sent to the path with one.';
    case 'star_in_path':
      return 'A * in the path has no meaning but its own: write the path without it.';
    case 'many_rules':
      return `More than ${proxyLimits.rulesBeforeWarning} rules: each request is compared with them in turn.`;
  }
}
