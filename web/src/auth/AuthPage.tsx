import type { ReactNode } from 'react';
import { InsecureContext } from '../shell/InsecureContext.tsx';
import { ThemeButton } from '../shell/ThemeButton.tsx';
import { usePageTitle } from '../shell/use-page-title.ts';
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
        {/* Drawn by the build, whose year it stays. */}
        <p className="xs subtle" suppressHydrationWarning>
          © {new Date().getFullYear()} Homeport
        </p>
      </div>
      <div className="auth-r">
        <RoadsPaper />
      </div>
    </div>
  );
}
