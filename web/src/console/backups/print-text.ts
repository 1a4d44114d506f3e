/** Prints plain text in a window of its own, which closes itself. Returns false where the browser opens none. */
export function printText(title: string, text: string): boolean {
  const sheet = window.open('', '_blank', 'popup,width=720,height=640');
  if (!sheet) return false;
  sheet.document.title = title;
  const lines = sheet.document.createElement('pre');
  lines.textContent = text;
  sheet.document.body.append(lines);
  sheet.addEventListener('afterprint', () => sheet.close());
  sheet.print();
  return true;
}
