import DOMPurify from 'dompurify';
import { marked } from 'marked';

/** The panel's own heading is of level two, so a readme's headings start at level three. */
const deeper: Readonly<Record<string, string>> = { H1: 'h3', H2: 'h4', H3: 'h5', H4: 'h6', H5: 'h6' };

/**
 * Removes active elements, elements that look like the page's own controls, and elements that fetch from
 * elsewhere and so reveal the reader.
 */
const forbidden =
  'style form input button textarea select dialog img picture video audio source svg math template'.split(
    ' ',
  );

/**
 * Turns Markdown into elements that cannot act. Links open a new tab. A link that leads to no outside address
 * loses its address.
 */
export function sanitiseMarkdown(text: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(marked.parse(text, { async: false, gfm: true }), {
    USE_PROFILES: { html: true },
    FORBID_TAGS: forbidden,
    FORBID_ATTR: ['style', 'class', 'id', 'name', 'background', 'tabindex', 'accesskey'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5')) {
    const renamed = document.createElement(deeper[heading.tagName] ?? 'h6');
    renamed.append(...heading.childNodes);
    heading.replaceWith(renamed);
  }
  for (const link of fragment.querySelectorAll('a[href]')) {
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer nofollow');
  }
  return fragment;
}
