/**
 * xterm writes its rules into style elements and colours of its own into style attributes, which the page's policy both refuses
 * (`style-src 'self'`). While a screen is held here, the text of a new style element becomes a constructed sheet, and a style attribute
 * of a new span becomes declarations, neither of which is an inline style (https://www.w3.org/TR/CSP3/, 8.4). xterm takes no other
 * document than the page's own for them.
 */
export function holdWithoutInlineStyles(): () => void {
  if (holders === 0) document.createElement = createWithoutInlineStyles;
  holders += 1;
  return () => {
    holders -= 1;
    // The page's own method is the prototype's.
    if (holders === 0) Reflect.deleteProperty(document, 'createElement');
  };
}

let holders = 0;

const createWithoutInlineStyles = ((tag: string, options?: ElementCreationOptions) => {
  if (tag === 'style') return createStyle();
  const element = create(tag, options);
  return tag === 'span' ? Object.assign(element, { setAttribute: setOrDeclare }) : element;
}) as Document['createElement'];

const create = (tag: string, options?: ElementCreationOptions): HTMLElement =>
  Document.prototype.createElement.call(document, tag, options);

/** An element that shows nothing, whose text is a sheet of the page for as long as it is there. */
function createStyle(): HTMLElement {
  const element = create('template');
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) });
  Object.defineProperty(element, 'remove', {
    value() {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
      Element.prototype.remove.call(element);
    },
  });
  return element;
}

function setOrDeclare(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}
