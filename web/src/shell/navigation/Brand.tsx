import { classNames } from '../../ui/class-names.ts';
import { Mark, Wordmark } from '../../ui/picture/Logo.tsx';
import logoStyles from '../../ui/picture/logo.module.css';
import styles from './Brand.module.css';
import { EntryLink } from './EntryLink.tsx';

export function Brand({ className }: { className?: string | undefined }) {
  return (
    <EntryLink
      className={classNames(logoStyles.brand, styles.brand, className)}
      to="/home"
      aria-label="Homeport, home"
    >
      <Mark />
      <Wordmark className={styles.word} />
    </EntryLink>
  );
}
