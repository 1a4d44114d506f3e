import type { StatusPage } from '@homeport/contract/status-pages/schema';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Page } from '../../page-frame/Page.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { ButtonExternalLink } from '../../ui/button/ButtonLink.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Quiet } from '../../ui/feedback/Status.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../ui/layout/Setting.tsx';
import { Icon } from '../../ui/picture/Icon.tsx';
import { NotServed } from '../NotServed.tsx';
import { addressOf } from '../status-page-texts.ts';
import { TakenDown } from '../TakenDown.tsx';
import { ComponentsPanel } from './ComponentsPanel.tsx';
import { PostsPanel } from './PostsPanel.tsx';
import type { PageDialog, SectionProps } from './page-dialog.ts';

const loadDialogs = () => import('./PageDialogs.tsx');
const PageDialogs = lazy(async () => ({ default: (await loadDialogs()).PageDialogs }));

interface Props {
  page: StatusPage;
  served: boolean;
  /** The page is being deleted; false: it stays after all. */
  onLeave: (isLeaving: boolean) => void;
}

/** One status page as its person edits it: what is written on it, its components and its settings. */
export function StatusPageDetail({ page, served, onLeave }: Props) {
  const { title, slug, published, takenDown } = page;
  const [dialog, setDialog] = useState<PageDialog | null>(null);
  const isPublic = published && served;
  return (
    <Page
      title={title}
      crumbs={
        <Link to="/status-pages/{-$id}" params={{ id: undefined }}>
          Status pages
        </Link>
      }
      meta={
        <>
          <Quiet lamp={isPublic ? 'on' : 'nodata'}>
            {isPublic ? 'Published' : takenDown === null ? 'Hidden' : 'Taken down'}
          </Quiet>
          <span>
            <Icon name="link" size={16} />
            {addressOf(slug)}
          </span>
        </>
      }
      actions={
        isPublic ? (
          <ButtonExternalLink variant="primary" icon="external" href={addressOf(slug)}>
            Open page
          </ButtonExternalLink>
        ) : (
          served &&
          takenDown === null && (
            <Button
              variant="primary"
              onPointerEnter={loadDialogs}
              onClick={() => setDialog({ kind: 'publish' })}
            >
              Publish
            </Button>
          )
        )
      }
    >
      <div className={layout.banners}>
        {!served && <NotServed />}
        {takenDown !== null && <TakenDown reason={takenDown} />}
      </div>
      <div className={classNames(layout.stack, layout.gap5)}>
        {served && <PostsPanel page={page} onOpen={setDialog} />}
        {served && <ComponentsPanel page={page} onOpen={setDialog} />}
        <SettingsPanel page={page} served={served} onOpen={setDialog} />
      </div>
      {dialog && (
        <Suspense fallback={null}>
          <PageDialogs dialog={dialog} page={page} onClose={() => setDialog(null)} onLeave={onLeave} />
        </Suspense>
      )}
    </Page>
  );
}

function SettingsPanel({ page: { slug, published }, served, onOpen }: SectionProps & Pick<Props, 'served'>) {
  return (
    <Panel title="Settings" id="settings" body="flush">
      <SettingsList>
        <Setting
          title="Title and address"
          note={addressOf(slug)}
          action={
            served && (
              <Button size="sm" onClick={() => onOpen({ kind: 'edit' })}>
                Edit
              </Button>
            )
          }
        />
        {published && served && (
          <>
            <Setting
              title="Readers"
              note="Anybody who knows the address sees the page."
              action={
                <Button size="sm" onClick={() => onOpen({ kind: 'hide' })}>
                  Hide page
                </Button>
              }
            />
            <Setting
              title="For programs"
              note={
                <>
                  An <a href={`${addressOf(slug)}/feed.atom`}>Atom feed</a>,{' '}
                  <a href={`${addressOf(slug)}/status.json`}>JSON</a>, and a{' '}
                  <a href={`${addressOf(slug)}/badge.svg`}>badge</a> for other pages.
                </>
              }
            />
          </>
        )}
        <Setting
          tone="danger"
          title="Delete status page"
          note="Its incidents, maintenances and address go with it."
          action={
            <Button size="sm" variant="danger-quiet" icon="trash" onClick={() => onOpen({ kind: 'delete' })}>
              Delete status page
            </Button>
          }
        />
      </SettingsList>
    </Panel>
  );
}
