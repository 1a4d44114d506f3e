import type { Toast } from '../../ui/feedback/toasts.ts';

/** A message about an operation opens the operation. Any other message opens the page on which it was shown. */
export const messageOpens = ({ operationId, page }: Pick<Toast, 'operationId' | 'page'>) =>
  operationId === undefined ? { to: page } : { operation: operationId };
