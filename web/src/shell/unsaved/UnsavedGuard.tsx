import { useEffect, useState } from 'react';
import { LeaveGuard } from '../../ui/dialog/LeaveGuard.tsx';
import { FollowedLinks, UnsavedForms, watchForms } from './unsaved-forms.ts';

export interface UnsavedGuardProps {
  /** Input and submits that came before the guard. */
  early: readonly Event[];
  /** Called once the guard asks. */
  onWatching: () => void;
}

/** Asks before what was typed into a form of any page is lost. */
export function UnsavedGuard({ early, onWatching }: UnsavedGuardProps) {
  const [forms] = useState(() => new UnsavedForms());
  const [links] = useState(() => new FollowedLinks());
  useEffect(() => watchForms(document, forms, links, early), [forms, links, early]);
  // The effects of the parts below have run by then, so the router knows the guard.
  useEffect(onWatching, [onWatching]);
  return (
    <LeaveGuard
      unsaved="What you typed on this page is not saved."
      holds={(action) => forms.any(action === null ? 'person' : links.leaving(action, performance.now()))}
    />
  );
}
