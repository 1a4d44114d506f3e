import { StrictMode } from 'react';
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { Door } from './auth/SignedOut.tsx';
import { SignupPage } from './auth/SignupPage.tsx';
import { WelcomeDialog } from './home/WelcomeDialog.tsx';
import { DrawnFrame } from './shell/DrawnFrame.tsx';
import type { EntryPath } from './shell/navigation/entries.ts';
import { Toasts } from './ui/feedback/Toasts.tsx';

/** Draws the parts that the build puts into the documents, as HTML text. */

const pages = {
  '/login': null,
  '/signup': { paths: ['/signup'], Page: SignupPage },
} as const;

/** The first drawing of signed-out.tsx. */
export function drawSignedOut(path: keyof typeof pages, { github }: { github: boolean }): string {
  return renderToString(
    <StrictMode>
      <Door path={path} first={pages[path]} github={github} />
      <Toasts />
    </StrictMode>,
  );
}

/** Stands in the document until frame.tsx draws the frame. */
export function drawFrame(path: EntryPath | null): string {
  return renderToStaticMarkup(<DrawnFrame path={path} />);
}

/** The dialog that home/welcome.ts opens. */
export function drawWelcome(): string {
  return renderToStaticMarkup(<WelcomeDialog />);
}
