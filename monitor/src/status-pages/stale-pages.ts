import { renderTimes } from '@homeport/store';
import { bytesOf, type createHeldPages, type HeldPage } from './held-pages.ts';
import { renderStale } from './render-stale.ts';

/** Pages that nobody rendered for a while: what they said last says nothing of now. */
export function createStalePages({
  held,
  publicUrl,
  clock,
}: {
  held: ReturnType<typeof createHeldPages>;
  publicUrl: string;
  clock: () => number;
}) {
  const staling = new WeakMap<HeldPage, Promise<HeldPage>>();
  const isOld = ({ renderedAt }: HeldPage) => clock() - renderedAt > renderTimes.stale;

  async function make(id: string, slug: string, page: HeldPage): Promise<HeldPage> {
    const files = await renderStale(page.files, { slug, publicUrl, at: page.renderedAt });
    if (!isOld(page)) return page;
    const unknown = { ...page, files, bytes: bytesOf(files.values()), isStale: true };
    if (held.peek(id) === page) held.put(id, unknown);
    return unknown;
  }

  /** The page as it is shown now; a promise for one that has become old. However many ask, it is made once. */
  return (id: string, slug: string, page: HeldPage): HeldPage | Promise<HeldPage> => {
    if (page.isStale || !isOld(page)) return page;
    const made = staling.get(page) ?? make(id, slug, page);
    staling.set(page, made);
    return made;
  };
}
