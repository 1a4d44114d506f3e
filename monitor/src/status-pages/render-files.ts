import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { statusPageLimits } from '@homeport/contract/status-pages/facts';
import type { ShownStatusPage, StatusFile, StatusRender } from '@homeport/store';
import { fitPosts } from './fit-posts.ts';
import { renderBadge } from './render-badge.ts';
import { renderFeed } from './render-feed.ts';
import { renderJson } from './render-json.ts';
import { renderPage } from './render-page.ts';

const compress = promisify(gzip);

/** What the components take at most: fifty with long names in ninety bars. The rest is for posts. */
const componentBytes = 112 * 1024;

/** A weak tag (RFC 9110, 8.8.1): the compressed bytes have it as well, and so has the same page a few minutes later. */
export const tagOf = (text: string): string =>
  `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

/** Everything that visitors can get of a page, and a compressed copy of each. */
export async function renderFiles(page: ShownStatusPage, publicUrl: string): Promise<StatusRender[]> {
  const bytes = statusPageLimits.renderBytes - componentBytes;
  const { posts, whole } = fitPosts(page.posts, { bytes, publicUrl });
  const fitting = { ...page, posts };
  const written = (hasTime: boolean): [StatusFile, string][] => [
    ['page', renderPage(fitting, { whole, publicUrl, hasTime })],
    ['feed.atom', renderFeed(fitting, publicUrl)],
    ['status.json', renderJson(fitting, { hasTime })],
    ['badge.svg', renderBadge(fitting)],
  ];
  const tags = new Map(written(false).map(([file, text]) => [file, tagOf(text)]));
  return Promise.all(
    written(true).map(async ([file, text]) => {
      const body = Buffer.from(text);
      return { file, body, gzip: await compress(body), etag: tags.get(file) ?? tagOf(text) };
    }),
  );
}
