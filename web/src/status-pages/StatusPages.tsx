import { useParams } from '@tanstack/react-router';
import { StatusPagesPage } from './list/StatusPagesPage.tsx';
import { StatusPagePage } from './page/StatusPagePage.tsx';

/** The person's status pages, or the one that the address names. */
export function StatusPages() {
  const { id } = useParams({ from: '/frame/status-pages/{-$id}' });
  return id === undefined ? <StatusPagesPage /> : <StatusPagePage key={id} id={id} />;
}
