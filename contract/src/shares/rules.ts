import { proxyLimits, proxyPace, ruleWorkLimits } from '../proxies/facts.ts';
import type { Share } from './share.ts';

/** What the rules of proxied domains may cost. */
export const ruleShares: readonly Share[] = [
  {
    ...{ what: 'rules', number: proxyLimits.rules, of: 'proxy' },
    ...{ heldIn: 'api/src/proxies/change-rules.ts', beyond: 'refused with the number' },
    test: 'api/src/proxies/rule-shares.test.ts',
  },
  {
    ...{ what: 'instructions of its compiled pattern', number: proxyLimits.patternInstructions, of: 'rule' },
    ...{ heldIn: 'rules/src/rewrite.ts', beyond: 'refused beside its field' },
    test: 'rules/src/pattern-cost.test.ts',
  },
  {
    what: 'instructions times characters of a path; so many take some 10 ms',
    ...{ number: proxyLimits.patternSteps, of: 'rule' },
    ...{ heldIn: 'rules/src/resolve-path.ts', beyond: '400 for the longer path' },
    test: 'rules/src/pattern-cost.test.ts',
  },
  {
    what: 'instructions of all compiled patterns together',
    ...{ number: proxyLimits.patternInstructionsOfProxy, of: 'proxy' },
    ...{ heldIn: 'rules/src/compile-site.ts', beyond: 'refused beside its field' },
    test: 'rules/src/pattern-cost.test.ts',
  },
  {
    ...{ what: 'bytes of HTML to put in', number: proxyLimits.injectionBytes, unit: 'bytes', of: 'rule' },
    ...{ heldIn: 'contract/src/proxies/schema.ts', beyond: 'refused beside its field' },
    test: 'api/src/proxies/rule-shares.test.ts',
  },
  {
    ...{ what: 'bytes of rules', number: proxyLimits.bytes, unit: 'bytes', of: 'proxy' },
    ...{ heldIn: 'api/src/proxies/refuse-heavy.ts', beyond: 'refused beside its field' },
    test: 'api/src/proxies/rule-shares.test.ts',
  },
  {
    ...{ what: 'bytes of rules', number: proxyLimits.bytesOfAccount, unit: 'bytes', of: 'account' },
    ...{ heldIn: 'api/src/proxies/refuse-heavy.ts', beyond: 'refused beside its field' },
    test: 'api/src/proxies/rule-shares.test.ts',
  },
  {
    ...{ what: 'saved URLs', number: proxyLimits.savedUrls, of: 'proxy' },
    ...{ heldIn: 'contract/src/proxies/schema.ts', beyond: 'refused beside its field' },
    test: 'api/src/proxies/rule-shares.test.ts',
  },
  ofPace({
    what: 'bytes of proxies that are read or changed at once',
    number: proxyPace.atOnceBytes,
    beyond: 'wait',
  }),
  ofPace({
    ...{ what: 'such bytes a second after that', number: proxyPace.bytesPerSecond },
    beyond: `wait up to ${proxyPace.waitMs / 1_000} s; later ones: 429 with Retry-After`,
  }),
  {
    what: 'bytes of saved URLs, with what they lead to',
    ...{ number: proxyLimits.savedUrlBytes, unit: 'bytes', of: 'proxy' },
    ...{ heldIn: 'api/src/proxies/change-proxy.ts', beyond: 'refused with the number' },
    test: 'api/src/proxies/rule-shares.test.ts',
  },
  {
    ...{ what: 'purges of its cache in a minute', number: proxyLimits.purgesPerMinute, of: 'proxy' },
    ...{ heldIn: 'api/src/proxies/purge-cache.ts', beyond: '429 with Retry-After' },
    test: 'api/src/proxies/proxies.test.ts',
  },
  ofWork({
    what: 'threads that try rules or read pages',
    number: 1,
    of: 'account',
    beyond: 'waits for its turn',
  }),
  ofWork({
    ...{ what: 'threads that try rules or read pages', number: ruleWorkLimits.threads, of: 'process' },
    beyond: 'waits for its turn',
  }),
  ofWork({
    ...{ what: 'jobs that wait for such a thread', number: ruleWorkLimits.waiting, of: 'account' },
    beyond: '429 with Retry-After',
  }),
  ofWork({
    ...{ what: 'of such a thread’s time', number: ruleWorkLimits.ms, unit: 'ms', of: 'job' },
    beyond: 'the thread ends: “This pattern takes too long.”',
  }),
  ofWork({
    ...{ what: 'of such a thread’s memory', number: ruleWorkLimits.heapBytes, unit: 'bytes', of: 'job' },
    beyond: 'the thread ends: “This pattern takes too long.”',
  }),
  throughPlane('examinations of mounted sites at once', ruleWorkLimits.examinations),
  throughPlane('requests to try a URL at once', ruleWorkLimits.dryRuns),
];

function ofPace(share: Pick<Share, 'what' | 'number' | 'beyond'>): Share {
  const heldIn = 'api/src/proxies/proxy-pace.ts';
  return { ...share, unit: 'bytes', of: 'account', heldIn, test: 'api/src/proxies/proxy-pace.test.ts' };
}

function ofWork(share: Pick<Share, 'what' | 'number' | 'of' | 'beyond' | 'unit'>): Share {
  const folder = 'api/src/proxies/rule-worker';
  return { ...share, heldIn: `${folder}/rule-work.ts`, test: `${folder}/rule-work.test.ts` };
}

function throughPlane(what: string, number: number): Share {
  return {
    ...{ what, number, of: 'account', beyond: '429 with Retry-After' },
    ...{ heldIn: 'api/src/proxies/handlers.ts', test: 'api/src/proxies/through-the-plane.test.ts' },
  };
}
