import type { ReactNode } from 'react';
import { Brand } from './Brand.tsx';

export interface FrameLayoutProps {
  header: ReactNode;
  navigation: ReactNode;
  /** At the sidebar's end. */
  foot?: ReactNode;
  /** Nothing in it acts yet: neither keys nor screen readers go there. */
  inert?: true;
  children?: ReactNode;
}

/** Where the parts of the frame stand: of the one that acts and of the one that the build draws. */
export function FrameLayout({ header, navigation, foot, inert, children }: FrameLayoutProps) {
  return (
    <div className="app" inert={inert} aria-hidden={inert}>
      <aside className="sb" aria-label="Sidebar">
        <Brand />
        {navigation}
        <div className="sb-foot">{foot}</div>
      </aside>
      <div className="main">
        {header}
        <main className="pg" id="main">
          {children}
        </main>
        <footer className="ft">
          <span>© {new Date().getFullYear()} Homeport</span>
          <span className="end hide-phone">Data refreshes every 60 s</span>
        </footer>
      </div>
    </div>
  );
}
