import { noticeEventSchema } from '@homeport/contract/notifications/events';
import type { NewsPage } from '@homeport/contract/notifications/news-page';
import { type NewsFilter, type OwnerRead, readMuted, readNewsPage, readNewsSubjects } from '@homeport/store';
import { describeNews } from './describe-news.ts';
import { weighNews } from './weigh-news.ts';

/** One page of the owner's news. What an older console noted in another form is left out. */
export async function listNews(scope: OwnerRead, filter: NewsFilter, now: number): Promise<NewsPage> {
  const { pieces, next } = await readNewsPage(scope, filter, now);
  return {
    news: pieces.flatMap(({ thread, facts, number: _, ...piece }) => {
      const event = noticeEventSchema.safeParse(facts);
      if (!event.success) return [];
      const { text, page, state, severity } = weighNews(event.data, { thread, at: piece.at });
      return [{ ...piece, incident: thread, text, page, state, severity }];
    }),
    next,
    subjects: await readNewsSubjects(scope),
    muted: (await readMuted(scope, now)).map(({ facts, name, ...muted }) => {
      const event = noticeEventSchema.safeParse(facts);
      return { ...muted, name: name ?? (event.success ? describeNews(event.data).topic : 'An incident') };
    }),
  };
}
