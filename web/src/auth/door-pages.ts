import type { ComponentType } from 'react';
import type { SignedOutPath } from '../data/signed-out-address.ts';

/** What a signed-out page takes from its address and its document. */
export interface DoorPageProps {
  email: string;
  /** The address to open afterwards, as the query gives it. */
  next: string | undefined;
  token: string | undefined;
  /** Whether the drawn page offers GitHub. undefined if the page was not drawn. */
  github: boolean | undefined;
}

/** A signed-out page beside sign-in, which the program always has. */
export interface DoorPage {
  paths: readonly SignedOutPath[];
  Page: ComponentType<DoorPageProps>;
}

const signUpPaths = ['/signup', '/register'] as const;

/** Loads the page of this address. null: the program has it already. */
export async function loadDoorPage(path: SignedOutPath): Promise<DoorPage | null> {
  switch (path) {
    case '/login':
      return null;
    case '/signup':
    case '/register':
      return { paths: signUpPaths, Page: (await import('./SignupPage.tsx')).SignupPage };
    case '/reset-password':
      return { paths: [path], Page: (await import('./ResetPasswordPage.tsx')).ResetPasswordPage };
    case '/verify-email':
      return { paths: [path], Page: (await import('./VerifyEmailPage.tsx')).VerifyEmailPage };
    case '/confirm-email':
      return { paths: [path], Page: (await import('./ConfirmEmailPage.tsx')).ConfirmEmailPage };
  }
}
