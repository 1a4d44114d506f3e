import type { Operation } from '@homeport/contract/operations/schema';
import type { ReactNode } from 'react';
import type { OperationDialogProps } from '../ui/dialog/OperationDialog.tsx';

/** How the window of one kind of operation differs from the plain one: title, steps and log. */
export interface OperationLook
  extends Pick<OperationDialogProps, 'layout' | 'locked' | 'okLabel' | 'okHint' | 'closesAfterMs'> {
  /** In place of the operation's own title, as it goes on. */
  titleOf?: (operation: Operation) => string;
  descriptionOf?: (operation: Operation) => ReactNode;
  /** The percentage and what it means, for the `install` layout. */
  progressOf?: (operation: Operation) => NonNullable<OperationDialogProps['progress']>;
  /** Under the log: what the finished work tells (deployment instructions). */
  after?: (operation: Operation) => ReactNode;
  /** Gives the window an OK, in force once the work is done; closes the window and then runs. */
  onOk?: (operation: Operation, go: (path: string) => void) => void;
}
