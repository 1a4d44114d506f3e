import { buttonClass } from '../ui/button/button-class.ts';
import { classNames } from '../ui/class-names.ts';
import emptyStyles from '../ui/feedback/empty.module.css';
import loadingStyles from './loading.module.css';
/**
 * Says that the frame's program could not be loaded. Replaces the drawn frame, which does not act. React may
 * be part of what is missing, so this code uses the browser alone.
 */
export function showFrameFailed(): void {
  const alert = document.createElement('main');
  alert.className = loadingStyles.cover ?? '';
  const box = document.createElement('div');
  box.className = classNames(emptyStyles.empty, emptyStyles.failed);
  box.role = 'alert';
  const title = document.createElement('h2');
  title.textContent = 'The page could not be loaded';
  const text = document.createElement('p');
  text.textContent =
    'A part of the page did not arrive. Nothing was changed. Load the page again when the console can be reached.';
  const again = document.createElement('button');
  again.className = buttonClass({});
  again.type = 'button';
  again.textContent = 'Load again';
  again.addEventListener('click', () => location.reload());
  box.append(title, text, again);
  alert.append(box);
  document.getElementById('root')?.replaceChildren(alert);
}
