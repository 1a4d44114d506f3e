import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button/button-class.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { AuthPage } from './AuthPage.tsx';

interface LinkPageProps {
  title: string;
  lead: string;
  /** What the person does about a link that did nothing; null for one that worked. */
  problem: string | null;
  href: string;
  /** The text of the link that leads on. */
  children: ReactNode;
}

/** The page behind a mailed link, once the console has answered it. */
export function LinkPage({ title, lead, problem, href, children }: LinkPageProps) {
  return (
    <AuthPage title={title} lead={lead}>
      {problem !== null && (
        <Banner tone="warn">
          <p>{problem}</p>
        </Banner>
      )}
      <a className={buttonClass({ variant: 'primary', size: 'lg', block: true })} href={href}>
        {children}
      </a>
    </AuthPage>
  );
}

/** The same page until then. */
export function CheckingLink({ title }: Pick<LinkPageProps, 'title'>) {
  return (
    <AuthPage title={title} lead="Checking the link.">
      <p role="status">One moment.</p>
    </AuthPage>
  );
}
