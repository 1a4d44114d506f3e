const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Text for an element or a quoted attribute, of HTML and XML alike. What is no character of XML (1.0, 2.2) goes: one would end the whole
 * feed for its readers.
 */
export function escapeText(text: string): string {
  return text.replace(/[&<>"'\p{Cc}\p{Cs}\ufffe\uffff]/gu, (character) => {
    const isSpace = character === '\n' || character === '\t';
    return entities[character] ?? (isSpace ? character : '');
  });
}
