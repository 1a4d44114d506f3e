// Runs before the first paint. The page's policy allows no inline script, so this is a file of its own.
// If the browser refuses storage (private windows), the page uses the system's theme and the wide sidebar.
(() => {
  const look = document.documentElement.dataset;
  try {
    const theme = localStorage.getItem('homeport.theme');
    if (theme === 'light' || theme === 'dark') look.theme = theme;
    if (localStorage.getItem('homeport.sidebar') === 'rail') look.sidebar = 'rail';
  } catch {
    delete look.theme;
  }
})();
