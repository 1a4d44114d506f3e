import { statusPageLimits } from '@homeport/contract/status-pages/facts';

/** The title and the address of a page. */
export interface PageForm {
  title: string;
  slug: string;
  /** The address was typed, so it follows the title no more. */
  ownSlug: boolean;
  /** The form was sent, so each field says what is wrong with it. */
  sent: boolean;
}

export const emptyPageForm: PageForm = { title: '', slug: '', ownSlug: false, sent: false };

/** The form of a page that has its address already. */
export const pageFormOf = ({ title, slug }: { title: string; slug: string }): PageForm => ({
  ...{ title, slug, ownSlug: true, sent: false },
});

export type PageFormEvent =
  | { type: 'titled'; title: string }
  | { type: 'addressed'; slug: string }
  | { type: 'sent' };

export function pageForm(form: PageForm, event: PageFormEvent): PageForm {
  switch (event.type) {
    case 'titled': {
      const { title } = event;
      return { ...form, title, slug: form.ownSlug ? form.slug : slugFrom(title) };
    }
    case 'addressed':
      // An address that is emptied follows the title again.
      return { ...form, slug: event.slug, ownSlug: event.slug !== '' };
    case 'sent':
      return { ...form, sent: true };
  }
}

/** An address like the title: "Our Services" becomes `our-services`, "Café" `cafe`. Empty where no letter can stand in one. */
export function slugFrom(title: string): string {
  const words = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '');
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word.slice(0, statusPageLimits.slugCharacters.most) : `${slug}-${word}`;
    if (longer.length > statusPageLimits.slugCharacters.most) break;
    slug = longer;
  }
  return slug;
}
