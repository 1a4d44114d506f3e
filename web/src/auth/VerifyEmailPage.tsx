import { useQuery, useQueryClient } from '@tanstack/react-query';
import { verifyEmail } from '../data/auth.ts';
import { sessionKey } from '../data/session-key.ts';
import { Banner } from '../ui/Banner.tsx';
import { ButtonLink } from '../ui/ButtonLink.tsx';
import { AuthPage } from './AuthPage.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Where the link of the verification message leads. */
export function VerifyEmailPage() {
  const token = useLinkToken();
  const client = useQueryClient();
  const verification = useQuery({
    queryKey: ['verify-email', token],
    queryFn: async () => {
      const result = await verifyEmail(token ?? '');
      await client.invalidateQueries({ queryKey: sessionKey });
      return result;
    },
    enabled: token !== undefined,
    // The link works once.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
    retry: false,
  });

  if (token && verification.isPending) {
    return (
      <AuthPage title="Verify your e-mail" lead="Checking the link.">
        <p role="status">One moment.</p>
      </AuthPage>
    );
  }
  const verified = verification.data?.ok === true;
  return (
    <AuthPage
      title={verified ? 'E-mail verified' : 'Verify your e-mail'}
      lead={verified ? 'Your address is confirmed.' : 'This link is not valid any more.'}
    >
      {!verified && (
        <Banner tone="warn">
          <p>A link works for one hour. Sign in and choose Send again to get a new one.</p>
        </Banner>
      )}
      <ButtonLink to="/home" variant="primary" size="lg" block>
        Go to Homeport
      </ButtonLink>
    </AuthPage>
  );
}
