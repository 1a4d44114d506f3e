import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useApi } from '../../data/use-api.ts';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { Chip } from '../../ui/feedback/Status.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import layout from '../../ui/layout/layout.module.css';
import { newOnes } from './new-ones.ts';

/** Says in the header that something waits for a decision, and once of each that comes while a page is open. */
export function ProposalsBadge() {
  const { data } = useApi('GET /api/proposals');
  const navigate = useNavigate();
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (!data) return;
    for (const { id, title, appName, program } of newOnes(data, known.current))
      toast.info(`${program.name} proposes: ${title}, ${appName}`, {
        action: { label: 'Look', run: () => void navigate({ to: '/approve/$id', params: { id } }) },
      });
    known.current = new Set(data.map(({ id }) => id));
  }, [data, navigate]);
  const [first, ...others] = (data ?? []).filter(({ state }) => state === 'open');
  if (!first) return null;
  const count = others.length + 1;
  const look = { size: 'sm', icon: 'bell' } as const;
  const text = (
    <>
      <span className={layout.visuallyHidden}>
        {count === 1 ? 'Proposal that waits' : 'Proposals that wait'}
      </span>
      <Chip>{count}</Chip>
    </>
  );
  return count === 1 ? (
    <ButtonLink {...look} to="/approve/$id" params={{ id: first.id }}>
      {text}
    </ButtonLink>
  ) : (
    <ButtonLink {...look} to="/profile" hash="programs">
      {text}
    </ButtonLink>
  );
}
