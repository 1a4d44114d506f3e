import type { PostKind } from '@homeport/contract/status-pages/facts';
import type { StatusPage } from '@homeport/contract/status-pages/schema';

/** What is open over the page. `post`: the id of an incident or a maintenance. */
export type PageDialog =
  | { kind: 'edit' | 'components' | 'publish' | 'hide' | 'delete' }
  | { kind: 'write'; of: PostKind }
  | { kind: 'update' | 'remove-post'; post: string };

export interface SectionProps {
  page: StatusPage;
  onOpen: (dialog: PageDialog) => void;
}

export interface PageDialogProps {
  page: StatusPage;
  onClose: () => void;
}
