import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import styles from './FrameLayout.module.css';
import { Brand } from './navigation/Brand.tsx';

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
    <div className={styles.frame} inert={inert} aria-hidden={inert}>
      <aside className={styles.sidebar} aria-label="Sidebar" data-collapses>
        <Brand />
        {navigation}
        <div className={styles.sidebarFoot}>{foot}</div>
      </aside>
      <div className={styles.main}>
        {header}
        <main className={styles.page} id="main">
          {children}
        </main>
        <footer className={styles.footer}>
          <span>© {new Date().getFullYear()} Homeport</span>
          <span className={classNames(layout.atEnd, layout.notOnPhone)}>Data refreshes every 60 s</span>
        </footer>
      </div>
    </div>
  );
}
