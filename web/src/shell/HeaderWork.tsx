import { ActiveOperations } from '../operations/ActiveOperations.tsx';
import { ProposalsBadge } from './proposals/ProposalsBadge.tsx';

/** What waits or goes on, in the header: proposals of programs, and operations. */
export function HeaderWork() {
  return (
    <>
      <ProposalsBadge />
      <ActiveOperations />
    </>
  );
}
