import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { incidentStates, postKinds } from '@homeport/contract/status-pages/facts';
import type { StatusFile, StatusRender } from '@homeport/store';
import { z } from 'zod';
import { renderBadge } from './render-badge.ts';
import { tagOf } from './render-files.ts';
import { renderPage } from './render-page.ts';

const compress = promisify(gzip);

/** The JSON that was rendered with the page: all that readers see, without the bars. */
const shownSchema = z.looseObject({
  title: z.string(),
  at: z.number(),
  components: z.array(z.looseObject({ name: z.string(), group: z.string() })),
  posts: z.array(
    z.object({
      ...{ id: z.string(), kind: z.enum(postKinds), title: z.string(), createdAt: z.number() },
      ...{ startsAt: z.number().nullable(), endsAt: z.number().nullable() },
      updates: z.array(
        z.object({ state: z.enum(incidentStates).nullable(), text: z.string(), at: z.number() }),
      ),
    }),
  ),
});

/** A page that nobody rendered for a while, so that each of its parts is unknown. The feed stays: it says what was written. */
export async function renderStale(
  files: ReadonlyMap<StatusFile, StatusRender>,
  { slug, publicUrl, at }: { slug: string; publicUrl: string /** The last render. */; at: number },
): Promise<Map<StatusFile, StatusRender>> {
  const json = files.get('status.json');
  if (!json) return new Map();
  const shown = shownSchema.parse(JSON.parse(json.body.toString()));
  const components = shown.components.map((each) => ({ ...each, state: 'unknown' as const }));
  const page = {
    ...{ ...shown, at, slug, id: '', createdAt: 0, from: 0 },
    components: components.map((each) => ({ ...each, days: [] })),
  };
  const texts: [StatusFile, string][] = [
    ['page', renderPage(page, { whole: true, publicUrl, isStale: true })],
    ['status.json', JSON.stringify({ ...shown, at, state: 'unknown', components })],
    ['badge.svg', renderBadge(page)],
  ];
  const feed = files.get('feed.atom');
  const stale = new Map<StatusFile, StatusRender>(feed && [['feed.atom', feed]]);
  for (const [file, text] of texts) {
    const body = Buffer.from(text);
    stale.set(file, { file, body, gzip: await compress(body), etag: tagOf(text) });
  }
  return stale;
}
