import { send } from '../data/auth.ts';

/** `invitation`: the token of the invitation's link, if there is one. */
export const signUp = (name: string, email: string, password: string, invitation?: string) =>
  send('sign-up/email', { name, email, password, invitation, callbackURL: '/verify-email' });
