import { type MouseEvent, memo, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import layout from '../layout/layout.module.css';
import { Icon } from '../picture/Icon.tsx';
import typography from '../text/typography.module.css';
import { type SortDirection, type SortValue, sortRows } from './sort-rows.ts';
import styles from './Table.module.css';
import tableFrameStyles from './table-frame.module.css';
import { useRowsInView } from './use-rows-in-view.ts';

export interface Column<R> {
  key: string;
  /** Empty for the column of actions. Give a `label` then. */
  head: ReactNode;
  /** The head as text, for cards and for an empty head. */
  label?: string;
  cell: (row: R) => ReactNode;
  /** Makes the column sortable. */
  sortBy?: (row: R) => SortValue;
  /** What orders rows that are equal by `sortBy`: "then load". Stands in the head while the table is sorted by the column. */
  sortedThen?: string;
  align?: 'end';
  /** The column's share of the table, where its longest cell would take too much. */
  width?: string;
  /** The number of columns that this row's cell covers, so that one remark can replace several values. */
  span?: (row: R) => number;
  /**
   * The cell's place on a card. `full` and `wide` take a whole line, `hide` leaves the cell out, and `right`
   * puts the cell at the right, `beside` at the right of the first cell wherever its column stands. `low` hides the cell when room is short, on cards and in the table.
   * `acted` is for the first cell, and shares its line with the `actions`.
   */
  card?: 'full' | 'wide' | 'hide' | 'right' | 'beside' | 'low' | 'actions' | 'acted';
}

export interface TableProps<R> {
  /** The name of the rows: "Servers". */
  caption: string;
  columns: readonly Column<R>[];
  rows: readonly R[];
  rowKey: (row: R) => string;
  sort?: { key: string; direction: SortDirection };
  /**
   * Opens the row's page on a click anywhere in the row. The name in the row is a real link to the same page.
   */
  onOpen?: (row: R) => void;
  density?: 'default' | 'compact';
  /** Turns rows into cards under 960 px. */
  cards?: boolean;
}

const cardClass = {
  full: styles.full,
  wide: styles.wide,
  hide: styles.hidden,
  right: styles.right,
  beside: styles.beside,
  low: styles.low,
  actions: styles.actions,
  acted: styles.acted,
};

export function Table<R>({
  caption,
  columns,
  rows,
  rowKey,
  sort,
  onOpen,
  density = 'default',
  cards = true,
}: TableProps<R>) {
  const [order, setOrder] = useState(sort ?? null);
  const by = columns.find((column) => column.key === order?.key)?.sortBy;
  const sorted = useMemo(() => (by && order ? sortRows(rows, by, order.direction) : rows), [rows, by, order]);

  const sortOn = (key: string) =>
    setOrder({
      key,
      direction: order?.key === key && order.direction === 'ascending' ? 'descending' : 'ascending',
    });

  const body = useRef<HTMLTableSectionElement>(null);
  const { from, to, rowHeight } = useRowsInView(body, sorted.length);
  const long = to - from < sorted.length;
  const latest = useRef(onOpen);
  latest.current = onOpen;
  const openRow = useCallback((row: R) => latest.current?.(row), []);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls inside itself, by keyboard too
    <section className={tableFrameStyles.scroller} aria-label={caption} tabIndex={0}>
      <table
        className={classNames(cards && styles.cards, density === 'compact' && tableFrameStyles.compact)}
        aria-rowcount={long ? sorted.length + 1 : undefined}
      >
        <thead>
          <tr>
            {columns.map((column) => {
              const sortedNow = order?.key === column.key && column.sortBy;
              return (
                <th
                  key={column.key}
                  scope="col"
                  className={classNames(
                    column.align === 'end' && typography.numeric,
                    column.card === 'low' && styles.low,
                  )}
                  aria-sort={sortedNow ? order.direction : undefined}
                  style={column.width === undefined ? undefined : { width: column.width }}
                >
                  {column.sortBy ? (
                    <button type="button" onClick={() => sortOn(column.key)}>
                      {column.head}
                      {sortedNow && <Icon name={order.direction === 'ascending' ? 'up' : 'down'} size={14} />}
                      {sortedNow && column.sortedThen && <small>{column.sortedThen}</small>}
                    </button>
                  ) : (
                    (column.head ?? <span className={layout.visuallyHidden}>{column.label}</span>)
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody ref={body}>
          <Room rows={from} height={rowHeight} columns={columns.length} />
          {sorted.slice(from, to).map((row, index) => (
            <Row
              key={rowKey(row)}
              id={rowKey(row)}
              row={row}
              columns={columns}
              place={long ? from + index + 2 : undefined}
              onOpen={onOpen && openRow}
            />
          ))}
          <Room rows={sorted.length - to} height={rowHeight} columns={columns.length} />
        </tbody>
      </table>
    </section>
  );
}

interface RowProps<R> {
  id: string;
  row: R;
  columns: readonly Column<R>[];
  /** The row's number in a table with only some rows in the page. The head is 1. */
  place: number | undefined;
  onOpen: ((row: R) => void) | undefined;
}

function PlainRow<R>({ id, row, columns, place, onOpen }: RowProps<R>) {
  const open = (event: MouseEvent<HTMLTableRowElement>) => {
    // Controls inside the row have their own action. Selecting text must not open the row.
    if ((event.target as HTMLElement).closest('a, button, input, label, select')) return;
    if (window.getSelection()?.toString()) return;
    onOpen?.(row);
  };
  return (
    <tr
      data-row={onOpen ? id : undefined}
      aria-rowindex={place}
      className={onOpen && styles.opens}
      onClick={onOpen ? open : undefined}
    >
      {cellsOf(columns, row).map(({ column, span }) => (
        <td
          key={column.key}
          colSpan={span > 1 ? span : undefined}
          data-l={labelled(column, span) ? (column.label ?? labelOf(column.head)) : undefined}
          className={classNames(
            column.align === 'end' && typography.numeric,
            column.card && cardClass[column.card],
            span > 1 && styles.full,
          )}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** A row is not drawn again while its data and the columns stay the same. */
const Row = memo(PlainRow) as typeof PlainRow;

/** An empty row with the height of the rows that are not in the page. */
function Room({ rows, height, columns }: { rows: number; height: number; columns: number }) {
  if (rows <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table without anything in it takes no focus
    <tr aria-hidden="true" className={styles.spacer}>
      <td colSpan={columns} style={{ height: rows * height }} />
    </tr>
  );
}

/** The columns with their own cell in this row. */
function cellsOf<R>(columns: readonly Column<R>[], row: R) {
  const cells: { column: Column<R>; span: number }[] = [];
  let covered = 0;
  for (const column of columns) {
    if (covered > 0) {
      covered -= 1;
      continue;
    }
    const span = column.span?.(row) ?? 1;
    cells.push({ column, span });
    covered = span - 1;
  }
  return cells;
}

/** On cards, the actions and cells on a whole line have no label. */
const labelled = <R,>({ card }: Column<R>, span: number) =>
  card !== 'actions' && card !== 'full' && card !== 'acted' && span === 1;

const labelOf = (head: ReactNode) => (typeof head === 'string' ? head : undefined);
