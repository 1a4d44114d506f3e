import type { Operation } from '@homeport/contract/operations/schema';
import type { ReactNode } from 'react';
import type { OperationDialogProps } from '../ui/dialog/OperationDialog.tsx';

/** How the window of one kind of operation differs from the default: title, steps and log. */
export interface OperationLook
  extends Pick<
    OperationDialogProps,
    'layout' | 'keepsLog' | 'locked' | 'okLabel' | 'okHint' | 'closesAfterMs'
  > {
  /** Replaces the operation's own title while the operation goes on. */
  titleOf?: (operation: Operation) => string;
  descriptionOf?: (operation: Operation) => ReactNode;
  /** The percentage and its label, for the `install` layout. */
  progressOf?: (operation: Operation) => NonNullable<OperationDialogProps['progress']>;
  /** Stands under the log: the result of the finished operation, such as deploy instructions. */
  after?: (operation: Operation) => ReactNode;
  /** Adds an OK button, enabled once the operation is over. OK closes the window and then calls this. */
  onOk?: (operation: Operation, go: (path: string) => void) => void;
}
