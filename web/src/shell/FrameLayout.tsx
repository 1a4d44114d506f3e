import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import layout from '../ui/layout/layout.module.css';
import styles from './FrameLayout.module.css';
import { Brand } from './navigation/Brand.tsx';

export interface FrameLayoutProps {
  header: ReactNode;
  navigation: ReactNode;
  /** Stands at the sidebar's end. */
  foot?: ReactNode;
  /** The drawn frame does not act yet, so neither the keyboard nor a screen reader may enter it. */
  inert?: true;
  children?: ReactNode;
}

/** The layout of the frame's parts, both for the live frame and for the frame that the build draws. */
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
          <span title={`Homeport ${import.meta.env.HOMEPORT_VERSION}`}>
            © {new Date().getFullYear()} Homeport
          </span>
          <span className={classNames(layout.atEnd, layout.notOnPhone)}>Data refreshes every 60 s</span>
        </footer>
      </div>
    </div>
  );
}
