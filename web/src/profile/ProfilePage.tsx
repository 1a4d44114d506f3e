import { Fragment } from 'react';
import { useSession } from '../data/session.ts';
import { useApi } from '../data/use-api.ts';
import { Page } from '../page-frame/Page.tsx';
import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import { SectionNav } from '../ui/layout/SectionNav.tsx';
import styles from './ProfilePage.module.css';
import { sectionsFor, tabsFor } from './sections.tsx';

/** You, Cloudflare and GitHub. */
const firstColumn = 3;

/** The person's account: one section for each subject, in a folder of its own. */
export function ProfilePage() {
  const session = useSession();
  const { data: configuration } = useApi('GET /api/configuration');
  const view = { session, configuration };
  const sections = sectionsFor(view);
  return (
    <Page title="Profile">
      <SectionNav label="Sections" sections={tabsFor(view)} />
      {/* The account and what is linked to it, then how it is guarded: two columns where there is room, read one after the other. */}
      <div className={styles.columns}>
        {[sections.slice(0, firstColumn), sections.slice(firstColumn)].map(
          ([first, ...others]) =>
            first && (
              <div key={first.id} className={classNames(layout.stack, layout.gap5)}>
                {[first, ...others].map(({ id, show }) => (
                  <Fragment key={id}>{show()}</Fragment>
                ))}
              </div>
            ),
        )}
      </div>
    </Page>
  );
}
