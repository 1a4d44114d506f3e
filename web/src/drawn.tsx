import { StrictMode } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { Door } from './auth/Door.tsx';
import type { DoorPath } from './data/door-address.ts';
import { WelcomeDialog } from './home/WelcomeDialog.tsx';
import { DrawnFrame } from './shell/DrawnFrame.tsx';
import type { EntryPath } from './shell/navigation/entries.ts';
import { Toasts } from './ui/feedback/Toasts.tsx';

/** What the build puts into the pages, as text. */

/** What door.tsx draws first. */
export function drawDoor(path: DoorPath): string {
  return renderToString(
    <StrictMode>
      <Door path={path} />
      <Toasts />
    </StrictMode>,
  );
}

/** What stands there until frame.tsx draws the frame. */
export function drawFrame(path: EntryPath | null): string {
  return renderToStaticMarkup(<DrawnFrame path={path} />);
}

/** What home/welcome.ts opens. */
export function drawWelcome(): string {
  return renderToStaticMarkup(<WelcomeDialog />);
}
