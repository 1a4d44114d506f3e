import { noticeEventSchema } from '@homeport/contract/notifications/events';
import type { NewsPage } from '@homeport/contract/notifications/news-page';
import { type NewsFilter, type OwnerRead, readNewsPage, readNewsSubjects } from '@homeport/store';
import { weighNews } from './weigh-news.ts';

/** One page of the owner's news. What an older console noted in another form is left out. */
export async function listNews(scope: OwnerRead, filter: NewsFilter): Promise<NewsPage> {
  const { pieces, next } = await readNewsPage(scope, filter);
  return {
    news: pieces.flatMap(({ id, kind, at, thread, since, overAt, acknowledged, told, facts }) => {
      const event = noticeEventSchema.safeParse(facts);
      if (!event.success) return [];
      const { text, page, state, severity } = weighNews(event.data, { thread, at });
      return [
        { id, incident: thread, kind, at, text, page, state, severity, since, overAt, acknowledged, told },
      ];
    }),
    next,
    subjects: await readNewsSubjects(scope),
  };
}
