import type { ReactNode } from 'react';
import { usePageTitle } from '../page-frame/use-page-title.ts';
import { InsecureContext } from '../shell/InsecureContext.tsx';
import { ThemeButton } from '../shell/theme/ThemeButton.tsx';
import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import { Mark, Wordmark } from '../ui/picture/Logo.tsx';
import logoStyles from '../ui/picture/logo.module.css';
import { RoadsPaper } from '../ui/picture/RoadsPaper.tsx';
import typography from '../ui/text/typography.module.css';
import authStyles from './auth.module.css';

export interface AuthPageProps {
  title: string;
  lead: ReactNode;
  children: ReactNode;
}

/** The signed-out page: the form at the left, the chart of the roads at the right. */
export function AuthPage({ title, lead, children }: AuthPageProps) {
  usePageTitle(title);
  return (
    <div className={authStyles.page}>
      <div className={authStyles.side}>
        <header className={authStyles.top}>
          <a className={logoStyles.brand} href="/" aria-label="Homeport, home">
            <Mark size={30} />
            <Wordmark height={22} />
          </a>
          <ThemeButton />
        </header>
        <main className={classNames(authStyles.form, layout.stack, layout.gap6)}>
          <div>
            <h1>{title}</h1>
            <p className={authStyles.lead}>{lead}</p>
          </div>
          <InsecureContext />
          {children}
        </main>
        {/* The build draws this year, and the browser keeps it. */}
        <p className={classNames(typography.extraSmall, typography.subtle)} suppressHydrationWarning>
          © {new Date().getFullYear()} Homeport
        </p>
      </div>
      <div className={authStyles.chart}>
        <RoadsPaper />
      </div>
    </div>
  );
}
