import type { ReactNode } from 'react';
import { usePageTitle } from '../shell/Page.tsx';
import { InsecureContext } from '../shell/PageNotices.tsx';
import { ThemeButton } from '../shell/ThemeButton.tsx';
import { RoadsPaper } from '../ui/ChartPaper.tsx';
import { Mark, Wordmark } from '../ui/Logo.tsx';

export interface AuthPageProps {
  title: string;
  lead: ReactNode;
  children: ReactNode;
}

/** The page of the signed-out: the form at the left, the chart of the roads at the right. */
export function AuthPage({ title, lead, children }: AuthPageProps) {
  usePageTitle(title);
  return (
    <div className="auth">
      <div className="auth-l">
        <header className="auth-top">
          <a className="brand" href="/" aria-label="Homeport, home">
            <Mark size={30} />
            <Wordmark height={22} />
          </a>
          <ThemeButton />
        </header>
        <main className="auth-f stack g6">
          <div>
            <h1>{title}</h1>
            <p className="lead">{lead}</p>
          </div>
          <InsecureContext />
          {children}
        </main>
        <p className="xs subtle">© {new Date().getFullYear()} Homeport</p>
      </div>
      <div className="auth-r">
        <RoadsPaper />
      </div>
    </div>
  );
}
