import { Fragment } from 'react';
import { useSession } from '../data/session.ts';
import { useApi } from '../data/use-api.ts';
import { Page } from '../page-frame/Page.tsx';
import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import { SectionNav } from '../ui/layout/SectionNav.tsx';
import { sectionsFor } from './sections.tsx';

/** The person's account: one section for each subject, in a folder of its own. */
export function ProfilePage() {
  const session = useSession();
  const { data: configuration } = useApi('GET /api/configuration');
  const sections = sectionsFor({ session, configuration });
  return (
    <Page title="Profile" width="form">
      {sections.length > 1 && <SectionNav label="Sections" sections={sections} />}
      <div className={classNames(layout.stack, layout.gap5)}>
        {sections.map(({ id, show }) => (
          <Fragment key={id}>{show()}</Fragment>
        ))}
      </div>
    </Page>
  );
}
