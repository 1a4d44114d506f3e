import { Dialog as Base } from '@base-ui/react/dialog';
import { useQueryClient } from '@tanstack/react-query';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { openOperation } from '../../operations/open-operation.ts';
import { classNames } from '../../ui/class-names.ts';
import dialogStyles from '../../ui/dialog/dialog.module.css';
import { Kbd } from '../../ui/feedback/Status.tsx';
import { layers } from '../../ui/layers.ts';
import layout from '../../ui/layout/layout.module.css';
import { Icon } from '../../ui/picture/Icon.tsx';
import typography from '../../ui/text/typography.module.css';
import { refreshNow } from '../refresh.ts';
import { cycleTheme } from '../theme/theme.ts';
import { matchItems } from './match-items.ts';
import { moveChoice } from './move-choice.ts';
import styles from './Palette.module.css';
import { type PaletteEntry, usePaletteItems } from './use-palette-items.ts';

export interface PaletteProps {
  /** What was typed before the palette had arrived. */
  typed: RefObject<string>;
  onClose: () => void;
  onOpen: (to: string) => void;
  onHelp: () => void;
}

/** A combobox over all items. Enter opens the chosen one, Ctrl Enter opens it in a new tab. */
export function Palette(props: PaletteProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState(props.typed.current);
  const [at, setAt] = useState(0);
  const items = usePaletteItems();
  // The field shows each key at once. The results follow, so that typing never lags.
  const followed = useDeferredValue(query);
  const groups = useMemo(() => matchItems(items, followed), [items, followed]);
  const flat = groups.flatMap(({ matches }) => matches);
  const chosen = flat[Math.min(at, flat.length - 1)]?.item;
  const open = useOpenEntry(props);

  const onKeys = (event: KeyboardEvent) => {
    const move = moveChoice(event.key, at, flat.length - 1);
    if (move !== null) {
      event.preventDefault();
      setAt(move);
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      open(chosen, event.ctrlKey || event.metaKey);
    }
  };

  return (
    <Base.Root open onOpenChange={(next) => !next && props.onClose()}>
      <Base.Portal container={layers()}>
        <Base.Backdrop className={classNames(dialogStyles.scrim, dialogStyles.backdrop)} />
        <Base.Viewport className={classNames(dialogStyles.scrim, dialogStyles.atTop, styles.viewport)}>
          <Base.Popup className={styles.palette} aria-label="Search apps and commands" initialFocus={input}>
            <div className={styles.query}>
              <Icon name="search" size={20} />
              <input
                ref={input}
                role="combobox"
                aria-expanded={flat.length > 0}
                aria-controls={`${id}-list`}
                aria-activedescendant={chosen ? optionId(id, chosen) : undefined}
                aria-autocomplete="list"
                aria-label="Search apps and commands"
                placeholder="Search Apps..."
                autoComplete="off"
                spellCheck={false}
                value={query}
                onChange={(event) => {
                  setQuery(event.currentTarget.value);
                  setAt(0);
                }}
                onKeyDown={onKeys}
              />
              <Kbd>Esc</Kbd>
            </div>
            <Results
              {...{ id, groups, chosen }}
              onPoint={(entry) => setAt(flat.findIndex((each) => each.item === entry))}
              onOpen={open}
            />
            <KeyHints />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

type OpenEntry = (entry: PaletteEntry, newTab: boolean) => void;

const optionId = (id: string, entry: PaletteEntry) => `${id}-${entry.id}`;

/** Opens an address, here or in a new tab, or runs a command. */
function useOpenEntry({ onClose, onOpen, onHelp }: PaletteProps): OpenEntry {
  const client = useQueryClient();
  return ({ opens }, newTab) => {
    if ('to' in opens) {
      if (newTab) window.open(opens.to, '_blank', 'noopener');
      else onOpen(opens.to);
      return;
    }
    if ('act' in opens && opens.act === 'help') {
      onHelp();
      return;
    }
    onClose();
    if ('operation' in opens) openOperation(opens.operation);
    else if (opens.act === 'theme') cycleTheme();
    else refreshNow(client);
  };
}

interface ResultsProps {
  id: string;
  groups: ReturnType<typeof matchItems<PaletteEntry>>;
  chosen: PaletteEntry | undefined;
  onPoint: (entry: PaletteEntry) => void;
  onOpen: OpenEntry;
}

function Results({ id, groups, chosen, onPoint, onOpen }: ResultsProps) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new choice comes into view
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.id]);
  return (
    <div ref={list} className={styles.results} role="listbox" id={`${id}-list`} aria-label="Results">
      {groups.map(({ group, matches, more }) => (
        <div key={group}>
          <h3 role="presentation">{group}</h3>
          {/* biome-ignore lint/a11y/useSemanticElements: a listbox groups its options this way */}
          <div role="group" aria-label={group}>
            {matches.map(({ item, ranges, by }) => (
              // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field (aria-activedescendant)
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
              <div
                key={item.id}
                id={optionId(id, item)}
                role="option"
                aria-selected={item === chosen}
                onPointerMove={() => onPoint(item)}
                onClick={(event) => onOpen(item, event.ctrlKey || event.metaKey)}
              >
                <Icon name={item.icon} />
                <span className={classNames(typography.twoLines, layout.grow)}>
                  <span>{marked(item.label, ranges)}</span>
                  {item.note && <small>{withWord(item.note(), by)}</small>}
                </span>
                <EntryKeys entry={item} chosen={item === chosen} />
              </div>
            ))}
          </div>
          {more > 0 && (
            <p className={styles.more}>
              {more} more {more === 1 ? 'fits' : 'fit'}. Type more of the name.
            </p>
          )}
        </div>
      ))}
      {groups.length === 0 && (
        <p className={styles.nothing} role="status">
          No app, server or command matches.
        </p>
      )}
    </div>
  );
}

/** A word that the search found stands in the note, unless it does already. */
const withWord = (note: string, word: string | null): string =>
  word === null || note.includes(word) ? note : `${note}, ${word}`;

/** The shortcut of a command. For the chosen entry, the key that opens it. */
function EntryKeys({ entry, chosen }: { entry: PaletteEntry; chosen: boolean }) {
  if (entry.keys)
    return (
      <span className={classNames(layout.row, styles.keys)}>
        {entry.keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </span>
    );
  if (!chosen) return null;
  return (
    <span className={classNames(typography.extraSmall, typography.subtle, layout.row)}>
      Open <Kbd>↵</Kbd>
    </span>
  );
}

function KeyHints() {
  return (
    <div className={classNames(styles.foot, layout.notOnPhone)}>
      <span>
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd>Move
      </span>
      <span>
        <Kbd>↵</Kbd>Open
      </span>
      <span>
        <Kbd>Ctrl</Kbd>
        <Kbd>↵</Kbd>Open in a new tab
      </span>
    </div>
  );
}

/** The label with marked hits. `ranges` are pairs of start and end. */
function marked(label: string, ranges: readonly number[]): ReactNode {
  if (ranges.length === 0) return label;
  const parts: ReactNode[] = [];
  let from = 0;
  for (let pair = 0; pair + 1 < ranges.length; pair += 2) {
    const start = ranges[pair] ?? 0;
    const end = ranges[pair + 1] ?? 0;
    parts.push(label.slice(from, start), <mark key={start}>{label.slice(start, end)}</mark>);
    from = end;
  }
  return [...parts, label.slice(from)];
}
