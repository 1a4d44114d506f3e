import type { Leaving, ProxyTest } from '@homeport/contract/proxies/schema';
import type { ProxyDefinition, SiteProblem, Warning } from '@homeport/rules';

/** The page that is looked at, and the path that it should stay under. */
export type Place = { page: string; base: string; domain: string };

/** What was found in an answer, and what under the base it leads to: further pages, and its styles and scripts. */
export type Found = { leaving: Leaving[]; pages: string[]; files: string[] };

/**
 * What the worker does. People and their websites write the input of each of these, so nobody knows how long it takes: a pattern, a
 * thousand rules, a page of a MiB.
 */
export type Jobs = {
  /** Compiles a proxy, answers URLs by its rules, and looks for what is probably not meant. */
  check: {
    asked: { definition: ProxyDefinition; urls: readonly string[] };
    answered: { problems: readonly SiteProblem[] } | { tests: ProxyTest[]; warnings: Warning[] };
  };
  /** Finds the rule that takes a URL, and what a browser sends. Null for a URL that is refused, or rules that do not compile. */
  locate: {
    asked: { definition: ProxyDefinition; url: string };
    answered: { rule: string; path: string } | null;
  };
  /** Lists what leads out of the base in a page, a stylesheet or a script. */
  examine: {
    asked: { as: 'page' | 'style' | 'script'; body: Uint8Array; place: Place };
    answered: Found;
  };
  /** Says whether a page has a text. A search takes the product of both lengths where they are written for that. */
  contains: { asked: { body: Uint8Array; text: string }; answered: boolean };
};
export type JobKind = keyof Jobs;

/** `begun` comes when the worker has its program and takes the job. */
export type Report = { kind: 'begun' } | { kind: 'done'; answer: unknown } | { kind: 'failed'; text: string };
