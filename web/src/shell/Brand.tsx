import { Mark, Wordmark } from '../ui/Logo.tsx';
import { EntryLink } from './EntryLink.tsx';

export function Brand() {
  return (
    <EntryLink className="brand" to="/home" aria-label="Homeport, home">
      <Mark />
      <Wordmark />
    </EntryLink>
  );
}
