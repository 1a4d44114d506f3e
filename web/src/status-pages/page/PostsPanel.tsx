import type { StatusPost } from '@homeport/contract/status-pages/schema';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { Badge } from '../../ui/feedback/Status.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { useFirstRows } from '../../ui/table/use-first-rows.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { useNow } from '../../ui/text/use-now.ts';
import { incidentStateTexts, linesOf, standingOf } from '../status-page-texts.ts';
import type { SectionProps } from './page-dialog.ts';

/** Incidents and maintenances, the newest first. */
export function PostsPanel({ page: { posts }, onOpen }: SectionProps) {
  const { shown, more } = useFirstRows(posts, 10);
  return (
    <Panel
      title="Incidents and maintenance"
      id="posts"
      body="flush"
      actions={
        <>
          {more}
          <Button size="sm" onClick={() => onOpen({ kind: 'write', of: 'maintenance' })}>
            Plan maintenance
          </Button>
          <Button size="sm" onClick={() => onOpen({ kind: 'write', of: 'incident' })}>
            Write of an incident
          </Button>
        </>
      }
    >
      {posts.length === 0 ? (
        <NothingYet>Nothing written yet.</NothingYet>
      ) : (
        <ul className={settingsListStyles.settings} aria-label="Incidents and maintenances, newest first">
          {shown.map((post) => (
            <Post key={post.id} post={post} onOpen={onOpen} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Post({ post, onOpen }: { post: StatusPost } & Pick<SectionProps, 'onOpen'>) {
  const { id, title, startsAt, endsAt, updates } = post;
  const { word, over } = standingOf(post, useNow(30_000));
  const [newest, ...earlier] = updates;
  return (
    <li>
      <div className={classNames(layout.grow, layout.stack, layout.gap2, typography.longWords)}>
        <div className={classNames(layout.row, layout.wrap)}>
          <h3 className={typography.subheading}>{title}</h3>
          {over ? <span className={typography.muted}>{word}</span> : <Badge tone="info">{word}</Badge>}
          <span className={classNames(layout.row, layout.atEnd)}>
            <Button size="sm" onClick={() => onOpen({ kind: 'update', post: id })}>
              Write update<span className={layout.visuallyHidden}> of {title}</span>
            </Button>
            <Button size="sm" variant="ghost" onClick={() => onOpen({ kind: 'remove-post', post: id })}>
              Remove<span className={layout.visuallyHidden}> {title}</span>
            </Button>
          </span>
        </div>
        {startsAt !== null && endsAt !== null && (
          <p className={typography.muted}>
            <Time at={startsAt} as="datetime" /> to <Time at={endsAt} as="datetime" />
          </p>
        )}
        {newest && <Update update={newest} />}
        {earlier.length > 0 && (
          <details>
            <summary className={typography.muted}>
              {earlier.length === 1 ? '1 earlier update' : `${earlier.length} earlier updates`}
            </summary>
            <div className={layout.stack}>
              {earlier.map((update) => (
                <Update key={update.id} update={update} />
              ))}
            </div>
          </details>
        )}
      </div>
    </li>
  );
}

function Update({ update: { state, text, at } }: { update: StatusPost['updates'][number] }) {
  return (
    <div>
      <p className={typography.muted}>
        {state !== null && `${incidentStateTexts[state]}, `}
        <Time at={at} />
      </p>
      {linesOf(text).map(({ line, place }) => (
        <p key={place}>{line}</p>
      ))}
    </div>
  );
}
