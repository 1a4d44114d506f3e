import { Icon } from '../../ui/picture/Icon.tsx';
import styles from './Entries.module.css';
import { EntryLink } from './EntryLink.tsx';
import { type Entry, type EntryPath, entries } from './entries.ts';

export interface EntriesProps {
  current: Entry | undefined;
  /** The number of things behind each entry. Left out while unknown. */
  counts?: Partial<Record<EntryPath, number>>;
  onNavigate?: (() => void) | undefined;
}

/** The eight entries of the sidebar, in its order. */
export function Entries({ current, counts = {}, onNavigate }: EntriesProps) {
  return (
    <nav aria-label="Main">
      <ul className={styles.list}>
        {entries.map((entry) => {
          const count = counts[entry.path];
          return (
            <li key={entry.path}>
              <EntryLink
                className={styles.entry}
                to={entry.path}
                title={entry.label}
                aria-current={entry === current ? 'page' : undefined}
                onClick={onNavigate}
              >
                <Icon name={entry.icon} />
                <span className={styles.label}>{entry.label}</span>
                {count !== undefined && <span className={styles.count}>{count}</span>}
              </EntryLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
