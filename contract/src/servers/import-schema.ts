import { z } from 'zod';
import { planSizeSchema } from '../apps/schema.ts';
import { boundedText } from '../fields/bounded-text.ts';
import { appsPerImport } from '../limits.ts';

/** An app’s name in Dokku. Dokku’s own rule has no limit of length. */
const longnameSchema = boundedText(128).regex(/^[a-z0-9][a-z0-9._-]*$/, 'Choose an app of the server.');

export const importAppsSchema = z.strictObject({
  longnames: z
    .array(longnameSchema)
    .min(1, 'Choose at least one app.')
    .max(appsPerImport, `Choose at most ${appsPerImport} apps.`),
});

/** An app that the server has and Homeport does not know, before anybody imports it. */
export const foundAppSchema = z
  .object({
    longname: z.string(),
    /** `running`: the app is meant to run. */
    state: z.enum(['undeployed', 'stopped', 'running']),
    /** The limits that are set on the server; null: no such limit. */
    memoryMb: z.number().nullable(),
    cpus: z.number().nullable(),
    /** The plan that has exactly these limits; null without one. */
    plan: planSizeSchema.nullable(),
    domains: z.array(z.string()),
    /** The repository, image or archive that the app was deployed from; null if the server does not name one. */
    source: z.string().nullable(),
    /** The keys that may push to the app, by name; null: every key of the server may. */
    pushers: z.array(z.string()).nullable(),
  })
  .meta({ id: 'FoundApp' });
export type FoundApp = z.output<typeof foundAppSchema>;

/** One event of the look at a server’s apps. The apps follow one by one, because reading one takes the server seconds. */
export const importOfferSchema = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('found'),
      /** The apps without a record, sorted; at most as many as one import takes. */
      longnames: z.array(z.string()),
      /** How many more there are. */
      left: z.number().int(),
      /** The keys that may push to the server, and whether the person has the key in Homeport; null: not known. */
      keys: z.array(z.object({ name: z.string(), own: z.boolean() })).nullable(),
    }),
    z.object({ type: z.literal('app'), app: foundAppSchema }),
    /** This app could not be read. It can be imported all the same. */
    z.object({ type: z.literal('unreadable'), longname: z.string(), reason: z.string() }),
  ])
  .meta({ id: 'ImportOffer' });
export type ImportOffer = z.output<typeof importOfferSchema>;
