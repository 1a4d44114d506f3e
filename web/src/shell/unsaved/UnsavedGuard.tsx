import { useEffect, useState } from 'react';
import { LeaveGuard } from '../../ui/dialog/LeaveGuard.tsx';
import { UnsavedForms, watchForms } from './unsaved-forms.ts';

/** Asks before what was typed into a form of any page is lost. */
export function UnsavedGuard() {
  const [forms] = useState(() => new UnsavedForms());
  useEffect(() => watchForms(document, forms), [forms]);
  return <LeaveGuard unsaved="What you typed on this page is not saved." holds={() => forms.any()} />;
}
