/** Who a request speaks for, once its session cookie has been checked. */
export type SessionIdentity = {
  userId: string;
  sessionId: string;
  name: string;
  email: string;
  emailVerified: boolean;
};
