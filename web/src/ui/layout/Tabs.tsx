import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import layout from './layout.module.css';
import styles from './Tabs.module.css';

export interface TabsProps {
  label: string;
  tabs: readonly { value: string; label: string; content: ReactNode }[];
  initial?: string;
}

/** Shows one of a few texts at a time: Mac, Windows, Linux. */
export function Tabs({ label, tabs, initial }: TabsProps) {
  return (
    <Base.Root defaultValue={initial ?? tabs[0]?.value} className={layout.stack}>
      <Base.List className={styles.tabs} aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value}>
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value}>
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
