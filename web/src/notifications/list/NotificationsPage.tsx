import { notificationRules } from '@homeport/contract/notifications/kinds';
import type { NewsPage } from '@homeport/contract/notifications/news-page';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { apiQuery } from '../../data/api-query.ts';
import { problemText } from '../../data/problem-text.ts';
import { useApi } from '../../data/use-api.ts';
import { Page } from '../../page-frame/Page.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { StaleList } from '../../ui/feedback/StaleList.tsx';
import { Empty, Failed, NothingMatches, SkeletonRows } from '../../ui/feedback/States.tsx';
import { FilterChoice } from '../../ui/form/FilterChoice.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import panelStyles from '../../ui/layout/panel.module.css';
import { Destinations } from './Destinations.tsx';
import { MutedNow } from './MutedNow.tsx';
import { NewsRow } from './NewsRow.tsx';
import { isWithoutNews, type NewsSearch, queryOf, subjectChoices } from './news-filter.ts';
import { newsKindLabels } from './news-kind-labels.ts';
import styles from './news-page.module.css';

const keptDays = notificationRules.keptMs / (24 * 3_600_000);

/** All news of the person: what it was, when, where it went and what was answered. */
export function NotificationsPage() {
  const search = useSearch({ from: '/frame/notifications' });
  const navigate = useNavigate();
  const query = queryOf(search);
  const news = useQuery({
    ...apiQuery('GET /api/notifications', { query }),
    // Another filter takes the place of the rows when its answer is there.
    placeholderData: keepPreviousData,
  });
  const isEmpty = news.data !== undefined && isWithoutNews(news.data, query);
  const filter = (change: NewsSearch) =>
    void navigate({ to: '/notifications', search: { ...query, ...change, before: undefined } });
  return (
    <Page
      title="Notifications"
      sub={`What you were told, where it went and what was answered. News is kept for ${keptDays} days.`}
      actions={<StatusPagesLink />}
    >
      {news.isError && news.data && (
        <div className={layout.banners}>
          <StaleList what="news" loadedAt={news.dataUpdatedAt} onRetry={() => void news.refetch()} />
        </div>
      )}
      <div className={layout.withAside}>
        <div>
          {news.isError && !news.data && (
            <Panel>
              <Failed title="The news could not be loaded" onRetry={() => void news.refetch()}>
                {problemText(news.error)}
              </Failed>
            </Panel>
          )}
          {news.isPending && (
            <Panel body="flush" busy>
              <SkeletonRows />
            </Panel>
          )}
          {news.data && <MutedNow muted={news.data.muted} />}
          {isEmpty && <NoNews />}
          {news.data && !isEmpty && (
            <section
              className={panelStyles.panel}
              aria-label="News"
              aria-busy={news.isPlaceholderData || undefined}
            >
              {query.incident === undefined ? (
                <Filters page={news.data} search={query} onChange={filter} />
              ) : (
                <OneIncident />
              )}
              {news.data.news.length === 0 ? (
                <NothingMatches onClear={() => void navigate({ to: '/notifications', search: {} })} />
              ) : (
                <ul className={styles.news} aria-label="News, newest first">
                  {news.data.news.map((piece) => (
                    <NewsRow key={piece.id} piece={piece} subjects={news.data.subjects} />
                  ))}
                </ul>
              )}
              <Pages search={query} next={news.data.next} />
            </section>
          )}
        </div>
        {/* On a phone they stand below the news, and would move when the news arrives. */}
        {!news.isPending && <Destinations />}
      </div>
    </Page>
  );
}

/** Where a console serves no status pages, those that a person made before can still be found. */
function StatusPagesLink() {
  const { data } = useApi('GET /api/status-pages');
  if (!data?.served && !data?.pages.length) return null;
  return (
    <ButtonLink to="/status-pages/{-$id}" params={{ id: undefined }}>
      Status pages
    </ButtonLink>
  );
}

interface FiltersProps {
  page: NewsPage;
  search: NewsSearch;
  onChange: (change: NewsSearch) => void;
}

function Filters({ page: { subjects }, search, onChange }: FiltersProps) {
  const chosen = (value: string) => (value === 'all' ? undefined : value);
  return (
    <div className={panelStyles.head}>
      <FilterChoice
        label="Kind"
        all="All kinds"
        value={search.kind ?? 'all'}
        options={Object.entries(newsKindLabels)}
        onChange={(kind) => onChange({ kind: chosen(kind) })}
      />
      <FilterChoice
        label="About"
        all="Everything"
        value={search.about ?? 'all'}
        options={subjectChoices(subjects, search.about)}
        onChange={(about) => onChange({ about: chosen(about) })}
      />
    </div>
  );
}

/** The link of a message leads here. */
function OneIncident() {
  return (
    <div className={panelStyles.head}>
      <h2>One incident</h2>
      <div className={panelStyles.actions}>
        <ButtonLink to="/notifications" search={{}} size="sm">
          All news
        </ButtonLink>
      </div>
    </div>
  );
}

/** Older news has an address of its own. There nothing that arrives moves the rows. */
function Pages({ search, next }: { search: NewsSearch; next: number | null }) {
  const isOlder = search.before !== undefined;
  if (!isOlder && next === null) return null;
  return (
    <nav className={panelStyles.foot} aria-label="Pages of news">
      {isOlder && (
        <ButtonLink to="/notifications" search={{ ...search, before: undefined }} size="sm">
          Newest
        </ButtonLink>
      )}
      {next !== null && (
        <ButtonLink to="/notifications" search={{ ...search, before: String(next) }} size="sm">
          Older
        </ButtonLink>
      )}
    </nav>
  );
}

function NoNews() {
  return (
    <Panel>
      <Empty
        title="No news yet"
        action={
          <ButtonLink to="/profile" hash="notifications" variant="primary" icon="bell">
            Where news goes
          </ButtonLink>
        }
      >
        The console tells you by itself when a server stops reporting, an app is down, a disk fills up, or
        work fails while nobody watches. What it told you stands here then.
      </Empty>
    </Panel>
  );
}
