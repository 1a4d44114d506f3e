import { CheckingLink, LinkPage } from './LinkPage.tsx';
import { confirmEmailChange } from './mailed-links.ts';
import { answerOfLink } from './use-answer-of-link.ts';

const texts = {
  changed: { title: 'E-mail changed', lead: 'You sign in with the new address from now on.' },
  half: { title: 'One more link', lead: 'Now open the link that was mailed to the new address.' },
  over: { title: 'Change your e-mail', lead: 'This link changed nothing.' },
} as const;

const useConfirmation = answerOfLink(confirmEmailChange);

/** The page that the two links of a change of the e-mail address open. */
export function ConfirmEmailPage({ token }: { token: string | undefined }) {
  const result = useConfirmation(token);
  if (token && !result) return <CheckingLink title={texts.over.title} />;
  return (
    <LinkPage
      {...texts[!result?.ok ? 'over' : result.changed ? 'changed' : 'half']}
      problem={result?.ok ? null : (result?.message ?? 'The address of this page has no token.')}
      href="/profile"
    >
      Go to your profile
    </LinkPage>
  );
}
