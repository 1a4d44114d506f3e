import { nameCharacters } from '@homeport/contract/fields/facts';
import type { StatusComponent } from '@homeport/contract/status-pages/schema';
import { type KeyboardEvent, useRef } from 'react';
import { IconButton } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import controlsStyles from '../../ui/form/controls.module.css';
import { TextField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import type { ComponentsFormEvent } from './components-form.ts';

interface Props {
  row: StatusComponent;
  /** Which app or domain it is. */
  source: string;
  /** From 0. */
  place: number;
  count: number;
  problemOf: (field: 'name' | 'group' | 'target') => string | undefined;
  tell: (event: ComponentsFormEvent) => void;
}

/** One component: its public name, its group and its place. Alt and an arrow key move it, too. */
export function ComponentRow({ row: { target, name, group }, source, place, count, problemOf, tell }: Props) {
  const line = useRef<HTMLLIElement>(null);
  useKeptFocus(line, place);
  const move = (by: 1 | -1) => tell({ type: 'moved', target, by });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(event.key === 'ArrowUp' ? -1 : 1);
  };
  const field = (which: 'name' | 'group') => ({
    autoComplete: 'off',
    maxLength: nameCharacters,
    onKeyDown,
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      tell({ type: 'typed', target, field: which, value: event.currentTarget.value }),
  });
  return (
    <li ref={line} className={classNames(layout.stack, layout.gap2)}>
      <div className={layout.row}>
        <span className={classNames(typography.small, typography.muted, layout.grow)}>{source}</span>
        <IconButton
          label={`Move ${source} up`}
          icon="arrowup"
          disabledReason={place === 0 ? 'It is the first.' : null}
          onClick={() => move(-1)}
        />
        <IconButton
          label={`Move ${source} down`}
          icon="arrowdown"
          disabledReason={place === count - 1 ? 'It is the last.' : null}
          onClick={() => move(1)}
        />
        <IconButton
          label={`Remove ${source}`}
          icon="trash"
          onClick={() => tell({ type: 'removed', target })}
        />
      </div>
      <div className={controlsStyles.pair}>
        <TextField
          label="Public name"
          autoFocus={name === ''}
          {...field('name')}
          value={name}
          error={problemOf('name') ?? problemOf('target')}
        />
        <TextField label="Group" optional {...field('group')} value={group} error={problemOf('group')} />
      </div>
    </li>
  );
}
