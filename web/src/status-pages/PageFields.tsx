import { statusPageLimits } from '@homeport/contract/status-pages/facts';
import { TextField } from '../ui/form/Field.tsx';
import type { PageForm, PageFormEvent } from './page-form.ts';
import { addressOf } from './status-page-texts.ts';

interface Props {
  form: PageForm;
  tell: (event: PageFormEvent) => void;
  problemOf: (field: 'title' | 'slug') => string | undefined;
}

/** The title of a page and its address. */
export function PageFields({ form: { title, slug }, tell, problemOf }: Props) {
  const { most } = statusPageLimits.slugCharacters;
  return (
    <>
      <TextField
        label="Title"
        autoComplete="off"
        placeholder="Our services"
        maxLength={statusPageLimits.titleCharacters}
        value={title}
        error={problemOf('title')}
        onChange={(event) => tell({ type: 'titled', title: event.currentTarget.value })}
      />
      <TextField
        mono
        label="Address"
        autoComplete="off"
        placeholder="our-services"
        maxLength={most}
        help={`Readers open ${addressOf(slug.trim() || 'our-services')}`}
        value={slug}
        error={problemOf('slug')}
        onChange={(event) => tell({ type: 'addressed', slug: event.currentTarget.value })}
      />
    </>
  );
}
