interface Within {
  /** What has the focus now. */
  active: Element | null;
  dock: Pick<Node, 'contains'>;
  /** What opened the terminal. */
  opener: Element | null;
}

/** Whether a terminal that has opened may take the focus: not from a field that the person went to meanwhile. */
export const mayTakeFocus = ({ active, dock, opener }: Within): boolean =>
  active === null || active.localName === 'body' || active === opener || dock.contains(active);
