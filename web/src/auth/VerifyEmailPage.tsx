import { CheckingLink, LinkPage } from './LinkPage.tsx';
import { verifyEmail } from './mailed-links.ts';
import { answerOfLink } from './use-answer-of-link.ts';

const useVerification = answerOfLink(verifyEmail);

/** The page that the link in the verification message opens. */
export function VerifyEmailPage({ token }: { token: string | undefined }) {
  const result = useVerification(token);
  if (token && !result) return <CheckingLink title="Verify your e-mail" />;
  return result?.ok ? (
    <LinkPage title="E-mail verified" lead="Your address is confirmed." problem={null} href="/home">
      Go to Homeport
    </LinkPage>
  ) : (
    <LinkPage
      title="Verify your e-mail"
      lead="This link is no longer valid."
      problem="A link works for one hour. Sign in and choose Send again to get a new one."
      href="/home"
    >
      Go to Homeport
    </LinkPage>
  );
}
