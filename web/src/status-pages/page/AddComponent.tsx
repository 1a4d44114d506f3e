import { statusPageLimits } from '@homeport/contract/status-pages/facts';
import { useState } from 'react';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { Select } from '../../ui/form/Select.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import type { Source, useSources } from './use-sources.ts';

interface Props {
  sources: ReturnType<typeof useSources>;
  /** The targets of the components that stand on the page already. */
  chosen: ReadonlySet<string>;
  isFull: boolean;
  onAdd: (source: Source) => void;
}

/** The choice of an app or a domain that does not stand on the page yet. */
export function AddComponent({ sources: { sources, error, isPending }, chosen, isFull, onAdd }: Props) {
  const [picked, setPicked] = useState('');
  const left = sources.filter(({ target }) => !chosen.has(target));
  const source = left.find(({ target }) => target === picked) ?? left[0];
  if (error) return <ProblemBanner error={error}>Your apps and domains could not be loaded.</ProblemBanner>;
  if (!source)
    return (
      <p className={typography.small}>
        {isPending
          ? 'Reading your apps and domains…'
          : sources.length === 0
            ? 'You have no app and no proxy yet.'
            : 'All of your apps and domains stand on the page.'}
      </p>
    );
  return (
    <div className={layout.stack}>
      <Select
        label="App or domain"
        value={source.target}
        options={left.map(({ target, text }) => ({ value: target, label: text }))}
        onChange={(event) => setPicked(event.currentTarget.value)}
      />
      <div>
        <Button
          icon="plus"
          disabledReason={isFull ? `A page has at most ${statusPageLimits.components} components.` : null}
          onClick={() => onAdd(source)}
        >
          Add
        </Button>
      </div>
    </div>
  );
}
