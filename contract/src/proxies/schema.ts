import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import {
  epochMsSchema,
  hostnameSchema,
  idSchema,
  nameSchema,
  storableText,
  versionSchema,
} from '../fields/schema.ts';
import { horizons } from '../horizons.ts';
import type { RouteTable } from '../route.ts';
import {
  forwardedHostCharacters,
  leavingKinds,
  proxyDeletion,
  proxyLimits,
  proxyStates,
  ruleRequestBytes,
  ruleTypes,
  subdomainCharacters,
} from './facts.ts';

/** The parts of a rule, as they are kept. An empty text means that the part is not used. */
export const proxyRuleSchema = z
  .object({
    id: idSchema,
    /** Without a slash at its end, but for `/`. */
    path: z.string(),
    type: z.enum(ruleTypes),
    /** An http or https address; its path is a prefix for everything. */
    target: z.string(),
    /** The value of X-Forwarded-Host; empty: the host that the visitor asked for. */
    xForwardedHost: z.string(),
    /** Put before the path, after the target’s own path. */
    proxyPathPrefix: z.string(),
    /** A prefix of the path, or a pattern that begins with `^`. */
    pathRewriteSrc: z.string(),
    pathRewriteDest: z.string(),
    /** HTML for the pages of this rule. */
    injection: z.string(),
  })
  .meta({ id: 'ProxyRule' });
export type ProxyRule = z.output<typeof proxyRuleSchema>;

const injectionTooLong = `Use at most ${proxyLimits.injectionBytes / 1024} KiB.`;

/** A rule as a person typed it. What a rule must be beyond this, `rules/` says. */
export const proxyRuleInputSchema = z.strictObject({
  path: storableText(proxyLimits.pathLength),
  type: z.enum(ruleTypes),
  target: storableText(proxyLimits.targetLength),
  xForwardedHost: storableText(forwardedHostCharacters).default(''),
  proxyPathPrefix: storableText(proxyLimits.pathLength).default(''),
  pathRewriteSrc: storableText(proxyLimits.rewriteLength).default(''),
  pathRewriteDest: storableText(proxyLimits.pathLength).default(''),
  injection: storableText(proxyLimits.injectionBytes, injectionTooLong)
    .refine(
      (html) => new TextEncoder().encode(html).byteLength <= proxyLimits.injectionBytes,
      injectionTooLong,
    )
    .default(''),
});
export type ProxyRuleInput = z.input<typeof proxyRuleInputSchema>;
export type ParsedProxyRule = z.output<typeof proxyRuleInputSchema>;

/** A saved URL with its answer. A change of the rules that answers it otherwise is not kept unasked. */
export const proxyTestSchema = z
  .object({
    url: z.string(),
    /** The id of the rule that takes it, `source`, or null: no rule may take it. */
    takenBy: z.string().nullable(),
    /** The address that is asked, the path that the visitor is sent to, or the reason for a refusal. */
    gets: z.string(),
  })
  .meta({ id: 'ProxyTest' });
export type ProxyTest = z.output<typeof proxyTestSchema>;

/** A DNS record for a person to add. */
export const wantedRecordSchema = z
  .object({
    /** `pointing`: it leads visitors to the proxy service. `ownership`: it proves whose the domain is. */
    purpose: z.enum(['pointing', 'ownership']),
    type: z.enum(['CNAME', 'A', 'AAAA', 'TXT']),
    name: z.string(),
    content: z.string(),
  })
  .meta({ id: 'WantedRecord' });
export type WantedRecord = z.output<typeof wantedRecordSchema>;

/** Whether the domain is served, and what is missing. */
export const proxyStandingSchema = z
  .object({
    state: z.enum(proxyStates),
    /** The domain’s DNS leads to the proxy service; null: nobody looked yet. */
    pointing: z.boolean().nullable(),
    /** What showed that it leads there: its CNAME, its addresses, a request that arrived, or a name of this machine alone. */
    pointingBy: z.enum(['cname', 'addresses', 'asked', 'local']).nullable(),
    /** What proves that the domain is this person’s; null: nothing yet. */
    ownedBy: z.enum(['zone', 'txt', 'owner']).nullable(),
    /** When DNS was asked last; null: not yet. */
    lookedAt: epochMsSchema.nullable(),
    /** What was found instead, or what fails, in a sentence. */
    reason: z.string().nullable(),
    /** A served domain whose checks fail is answered until then; null: its checks are in order, or it is not served. */
    servedUntil: epochMsSchema.nullable(),
    /** The certificate that visitors of a served domain are shown; null: none was read yet. */
    certificate: z.object({ validFrom: epochMsSchema, validTo: epochMsSchema }).nullable(),
    /** The records that are still to be added. */
    wanted: z.array(wantedRecordSchema),
  })
  .meta({ id: 'ProxyStanding' });
export type ProxyStanding = z.output<typeof proxyStandingSchema>;

const proxyFields = {
  id: idSchema,
  name: z.string(),
  /** The whole name that visitors open, in lower case and ASCII. */
  domain: z.string(),
  /** The labels that were put before the chosen domain; null: none. */
  subdomain: z.string().nullable(),
  /** Where visitors open it: over https, unless the console serves this machine only. */
  url: z.string(),
  /** The primary website. */
  source: z.string(),
  standing: proxyStandingSchema,
  createdAt: epochMsSchema,
  version: versionSchema,
};

/** A proxy without the texts of its rules. */
export const proxySummarySchema = z
  .object({ ...proxyFields, rules: z.number().int() })
  .meta({ id: 'ProxySummary' });
export type ProxySummary = z.output<typeof proxySummarySchema>;

export const proxySchema = z
  .object({
    ...proxyFields,
    /** The first that fits takes the request; what none takes goes to the primary website. */
    rules: z.array(proxyRuleSchema),
    tests: z.array(proxyTestSchema),
    /** What is probably not meant, in sentences. `rule`: an id, `source`, or null for the proxy as a whole. */
    warnings: z.array(z.object({ rule: z.string().nullable(), text: z.string() })),
    /** The content of a TXT record at `_homeport.` before a domain, which proves that this proxy may have the domain. */
    proof: z.string(),
  })
  .meta({ id: 'Proxy' });
export type ProxyRecord = z.output<typeof proxySchema>;

/** What visitors did with one rule in one span of time. */
export const usePointSchema = z.object({
  /** The id of a rule, which may be gone by now, or `source`. */
  rule: z.string(),
  /** The start of its minute, hour, day or month (UTC). */
  at: epochMsSchema,
  requests: z.number(),
  /** Answers with 5xx. */
  errors: z.number(),
  /** Answers from the cache. */
  hits: z.number(),
  /** Of the answers’ bodies. */
  bytes: z.number(),
  /** The sum of the times until the head of each answer. */
  latencyMs: z.number(),
  latencyMaxMs: z.number(),
});
export type UsePoint = z.output<typeof usePointSchema>;
export const proxyUseSchema = z.array(usePointSchema).meta({ id: 'ProxyUse' });

/** What one real request through the proxy service showed. */
export const dryRunSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('answered'),
      status: z.number().int(),
      /** As the visitor gets them, in order. */
      headers: z.array(z.object({ name: z.string(), value: z.string() })),
      durationMs: z.number(),
      /** `none`: the rule has no HTML to put in. `why` says what is in its way. */
      snippet: z.object({ state: z.enum(['none', 'placed', 'missing']), why: z.string().nullable() }),
    }),
    z.object({ kind: z.literal('failed'), reason: z.string() }),
  ])
  .meta({ id: 'DryRun' });
export type DryRun = z.output<typeof dryRunSchema>;

/** Something of a mounted site that leaves the path of its rule. */
export const leavingSchema = z.object({
  kind: z.enum(leavingKinds),
  /** The path of the page on which it was found. */
  page: z.string(),
  value: z.string(),
  /** What a person can do about it. */
  proposal: z.string(),
});
export type Leaving = z.output<typeof leavingSchema>;

export const examinationSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('examined'),
      /** The paths of the pages that were read. */
      pages: z.array(z.string()),
      leaving: z.array(leavingSchema),
    }),
    z.object({ kind: z.literal('failed'), reason: z.string() }),
  ])
  .meta({ id: 'Examination' });
export type Examination = z.output<typeof examinationSchema>;

/** A proxy of any account whose domain no DNS record and no zone proves, as the console’s owner sees it. */
export const domainClaimSchema = z
  .object({
    id: idSchema,
    domain: z.string(),
    /** The address of the account that has the proxy. */
    email: z.string(),
    createdAt: epochMsSchema,
    /** The domain’s DNS leads to the proxy service; null: nobody looked yet. */
    pointing: z.boolean().nullable(),
    /** When the console’s owner confirmed the domain; null: not. */
    vouchedAt: epochMsSchema.nullable(),
  })
  .meta({ id: 'DomainClaim' });
export type DomainClaim = z.output<typeof domainClaimSchema>;

const wrongSubdomain = 'A subdomain has letters, digits and -, such as www.';
/** Labels of a name, which stand before a domain. `rules/` checks the whole name. */
const subdomainSchema = boundedText(subdomainCharacters, wrongSubdomain)
  .toLowerCase()
  .regex(/^[a-z0-9.-]+$/, wrongSubdomain);

const websiteSchema = storableText(proxyLimits.targetLength);

export const createProxySchema = z.strictObject({
  /** Absent: the domain. */
  name: nameSchema.optional(),
  domain: hostnameSchema,
  subdomain: subdomainSchema.optional(),
  source: websiteSchema,
});
export type CreateProxy = z.input<typeof createProxySchema>;

/** What the tests of a proxy may do to a change of its rules. */
const retest = {
  /** `refuse`: a change that answers a saved URL otherwise is not kept. `save`: it is kept, with the new answers. */
  newAnswers: z.enum(['refuse', 'save']).default('refuse'),
};

const byId = z.object({ id: idSchema });
const ofRule = z.object({ id: idSchema, rule: idSchema });
const changed = { access: 'signed-in', reply: proxySchema } as const;
const place = z
  .number()
  .int()
  .min(0)
  .max(proxyLimits.rules - 1);

export const proxyRoutes = {
  'GET /api/proxies': {
    access: 'signed-in',
    summary: 'List proxies',
    reply: z.array(proxySummarySchema),
  },
  'POST /api/proxies': {
    ...changed,
    summary: 'Add a proxy for a domain that no other proxy of this console has',
    body: createProxySchema,
    status: 201,
  },
  'GET /api/proxies/claims': {
    access: 'owner',
    summary: 'The proxies of all accounts whose domains nothing proves but the owner of this console',
    reply: z.array(domainClaimSchema),
  },
  'POST /api/proxies/:id/vouch': {
    access: 'owner',
    summary: 'Confirm that a domain belongs to the account that has the proxy, or withdraw that',
    params: byId,
    body: z.strictObject({ vouched: z.boolean() }),
    reply: domainClaimSchema,
  },
  'GET /api/proxies/:id': {
    ...changed,
    summary: 'One proxy with its rules and saved URLs',
    params: byId,
  },
  'PATCH /api/proxies/:id': {
    ...changed,
    summary: 'Change the name, the domain or the primary website',
    params: byId,
    body: z.strictObject({
      version: versionSchema,
      name: nameSchema.optional(),
      domain: hostnameSchema.optional(),
      source: websiteSchema.optional(),
      ...retest,
    }),
  },
  'POST /api/proxies/:id/delete': {
    access: 'signed-in',
    summary: 'Delete the proxy; its domain is answered no more',
    params: byId,
    body: z.strictObject({
      confirmation: z.literal(proxyDeletion.word, `Type '${proxyDeletion.word}' to confirm.`),
    }),
    reply: z.object({ removed: z.literal(true) }),
  },
  'POST /api/proxies/:id/rules': {
    ...changed,
    summary: 'Add a rule after the others',
    params: byId,
    body: proxyRuleInputSchema.extend({ version: versionSchema, ...retest }),
    status: 201,
    atMostBytes: ruleRequestBytes,
  },
  'PUT /api/proxies/:id/rules/:rule': {
    ...changed,
    summary: 'Replace a rule',
    params: ofRule,
    body: proxyRuleInputSchema.extend({ version: versionSchema, ...retest }),
    atMostBytes: ruleRequestBytes,
  },
  'POST /api/proxies/:id/rules/:rule/move': {
    ...changed,
    summary: 'Move a rule to another place of the order',
    params: ofRule,
    body: z.strictObject({
      version: versionSchema,
      /** Counted from 0. */
      to: place,
      ...retest,
    }),
  },
  'POST /api/proxies/:id/rules/:rule/delete': {
    ...changed,
    summary: 'Delete a rule',
    params: ofRule,
    body: z.strictObject({ version: versionSchema, ...retest }),
  },
  'PUT /api/proxies/:id/tests': {
    ...changed,
    summary: 'Replace the saved URLs; each is saved with its present answer',
    params: byId,
    body: z.strictObject({
      version: versionSchema,
      urls: z
        .array(storableText(proxyLimits.urlBytes))
        .max(proxyLimits.savedUrls, `Save at most ${proxyLimits.savedUrls} URLs.`),
    }),
  },
  'GET /api/proxies/:id/use': {
    access: 'signed-in',
    summary: 'Requests, errors, cache hits, bytes and latency by rule',
    params: byId,
    query: z.object({ horizon: z.enum(horizons).default('all') }),
    reply: proxyUseSchema,
  },
  'POST /api/proxies/:id/dry-run': {
    access: 'signed-in',
    summary: 'Ask for a URL once through the proxy service, on the saved rules',
    params: byId,
    body: z.strictObject({ url: storableText(proxyLimits.urlBytes) }),
    reply: dryRunSchema,
  },
  'POST /api/proxies/:id/examine': {
    access: 'signed-in',
    summary: 'Read pages of a subdirectory rule through the proxy service, and list what leaves its path',
    params: byId,
    body: z.strictObject({ ruleId: idSchema }),
    reply: examinationSchema,
  },
  'POST /api/proxies/:id/purge': {
    access: 'signed-in',
    summary: 'Drop cached answers of the domain, in their http and https forms',
    params: byId,
    body: z.strictObject({
      /** The beginning of the path, such as `/blog/`; absent: everything. */
      path: storableText(proxyLimits.pathLength).optional(),
    }),
    reply: z.object({
      /** The beginnings of the addresses that were dropped. */
      purged: z.array(z.string()),
    }),
  },
} as const satisfies RouteTable;
