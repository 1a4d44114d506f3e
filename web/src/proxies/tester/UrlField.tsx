import { proxyLimits } from '@homeport/contract/proxies/facts';
import { useId } from 'react';
import { classNames } from '../../ui/class-names.ts';
import controlsStyles from '../../ui/form/controls.module.css';
import { Icon } from '../../ui/picture/Icon.tsx';
import typography from '../../ui/text/typography.module.css';
import styles from './tester.module.css';

export interface UrlFieldProps {
  url: string;
  domain: string;
  onUrl: (url: string) => void;
}

/** Takes a whole URL, or a path on the domain. */
export function UrlField({ url, domain, onUrl }: UrlFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={typography.strong}>
        Test a URL
      </label>
      <div className={styles.box}>
        <Icon name="route" size={16} />
        <input
          id={id}
          className={classNames(controlsStyles.input, controlsStyles.monospaced, typography.monospace)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          maxLength={proxyLimits.urlBytes}
          placeholder={`https://${domain}/`}
          value={url}
          onChange={(event) => onUrl(event.currentTarget.value)}
        />
      </div>
    </div>
  );
}
