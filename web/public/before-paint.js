// Runs before the first paint. The policy allows no inline script. A browser may refuse storage.
(() => {
  const look = document.documentElement.dataset;
  try {
    const theme = localStorage.getItem('homeport.theme');
    if (theme === 'light' || theme === 'dark') look.theme = theme;
    if (localStorage.getItem('homeport.sidebar') === 'rail') look.sidebar = 'rail';
  } catch {
    delete look.theme;
  }
  // The page's program has not loaded yet, and sends the form then.
  addEventListener('submit', (event) => {
    if (!event.defaultPrevented) look.sent = '';
    event.preventDefault();
  });
})();
