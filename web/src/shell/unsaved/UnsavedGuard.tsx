import { useEffect, useState } from 'react';
import { LeaveGuard } from '../../ui/dialog/LeaveGuard.tsx';
import { FollowedLinks, UnsavedForms, watchForms } from './unsaved-forms.ts';

/** Asks before what was typed into a form of any page is lost. `early`: input and submits that came before it. */
export function UnsavedGuard({ early }: { early: readonly Event[] }) {
  const [forms] = useState(() => new UnsavedForms());
  const [links] = useState(() => new FollowedLinks());
  useEffect(() => watchForms(document, forms, links, early), [forms, links, early]);
  return (
    <LeaveGuard
      unsaved="What you typed on this page is not saved."
      holds={(action) => forms.any(action === null ? 'person' : links.leaving(action, performance.now()))}
    />
  );
}
