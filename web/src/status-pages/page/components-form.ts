import type { StatusComponent } from '@homeport/contract/status-pages/schema';

export interface ComponentsForm {
  rows: readonly StatusComponent[];
  /** The form was sent, so each field says what is wrong with it. */
  sent: boolean;
}

export type ComponentsFormEvent =
  | ({ type: 'added' } & Pick<StatusComponent, 'kind' | 'target'>)
  | { type: 'typed'; target: string; field: 'name' | 'group'; value: string }
  | { type: 'moved'; target: string; by: 1 | -1 }
  | { type: 'removed'; target: string }
  | { type: 'sent' };

export function componentsForm(form: ComponentsForm, event: ComponentsFormEvent): ComponentsForm {
  const { rows } = form;
  switch (event.type) {
    case 'added': {
      const { kind, target } = event;
      if (rows.some((row) => row.target === target)) return form;
      // The name stays empty: the app's own name is not for strangers, so the person writes one.
      return { rows: [...rows, { kind, target, name: '', group: '' }], sent: false };
    }
    case 'typed': {
      const { target, field, value } = event;
      return { ...form, rows: rows.map((row) => (row.target === target ? { ...row, [field]: value } : row)) };
    }
    case 'moved': {
      const from = rows.findIndex((row) => row.target === event.target);
      const to = from + event.by;
      const [row, other] = [rows[from], rows[to]];
      return row && other ? { ...form, rows: rows.with(to, row).with(from, other) } : form;
    }
    case 'removed':
      return { ...form, rows: rows.filter(({ target }) => target !== event.target) };
    case 'sent':
      return { ...form, sent: true };
  }
}

/** The components as readers find them: what has no group first, then each group where its first component stands. */
export function inGroups(components: readonly StatusComponent[]): readonly [string, StatusComponent[]][] {
  const groups = new Map<string, StatusComponent[]>([['', []]]);
  for (const each of components) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  return [...groups].filter(([, members]) => members.length > 0);
}
