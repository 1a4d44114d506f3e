import type { ShownPost } from '@homeport/store';
import { escapeText } from './escape.ts';
import { paragraphs } from './paragraphs.ts';

/** What an update or a post takes beside its text, in each of the files. */
const frameBytes = 600;

/** A text is longest in another file each time: empty lines in JSON, addresses in the page. */
const heaviest = (text: string, publicUrl: string): number =>
  Math.max(
    ...[paragraphs(text, publicUrl), escapeText(text), JSON.stringify(text)].map((each) =>
      Buffer.byteLength(each),
    ),
  );

/** The newest posts and updates that fit into so many bytes of a rendered page. */
export function fitPosts(
  posts: readonly ShownPost[],
  { bytes, publicUrl }: { bytes: number; publicUrl: string },
): { posts: ShownPost[]; whole: boolean } {
  let left = bytes;
  const fitting: ShownPost[] = [];
  for (const post of posts) {
    left -= frameBytes + Buffer.byteLength(post.title) * 5;
    const updates: ShownPost['updates'] = [];
    for (const update of post.updates) {
      left -= frameBytes + heaviest(update.text, publicUrl);
      if (left < 0) break;
      updates.push(update);
    }
    if (left < 0 && updates.length === 0) return { posts: fitting, whole: false };
    fitting.push({ ...post, updates });
    if (left < 0) return { posts: fitting, whole: false };
  }
  return { posts: fitting, whole: true };
}
