import type { ShownPost, ShownStatusPage } from '@homeport/store';
import { escapeText } from './escape.ts';
import { timeText } from './say.ts';

/** The posts as an Atom feed: one entry for each, which changes with each update (RFC 4287). */
export function renderFeed(page: ShownStatusPage, publicUrl: string): string {
  const address = new URL(`/status/${page.slug}`, publicUrl).href;
  const updated = Math.max(page.createdAt, ...page.posts.map(changedAt));
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:uuid:${page.id}</id>
<title>${escapeText(page.title)}</title>
<updated>${new Date(updated).toISOString()}</updated>
<author><name>${escapeText(page.title)}</name></author>
<link rel="alternate" href="${escapeText(address)}"/>
<link rel="self" href="${escapeText(`${address}/feed.atom`)}"/>
${page.posts.map((post) => entry(post, address)).join('')}</feed>
`;
}

const changedAt = ({ createdAt, updates }: ShownPost) => updates[0]?.at ?? createdAt;

function entry(post: ShownPost, address: string): string {
  const { startsAt, endsAt } = post;
  const planned =
    startsAt !== null && endsAt !== null ? [`Planned from ${timeText(startsAt)} to ${timeText(endsAt)}`] : [];
  const texts = post.updates.map(
    ({ state, text, at }) => `${timeText(at)}${state ? ` (${state})` : ''}\n${text}`,
  );
  return `<entry>
<id>urn:uuid:${post.id}</id>
<title>${escapeText(post.title)}</title>
<published>${new Date(post.createdAt).toISOString()}</published>
<updated>${new Date(changedAt(post)).toISOString()}</updated>
<link href="${escapeText(address)}"/>
<content type="text">${escapeText([...planned, ...texts].join('\n\n'))}</content>
</entry>
`;
}
