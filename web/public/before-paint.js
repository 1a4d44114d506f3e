// Runs before the first paint, as a file of its own because the page's policy allows no inline script.
// Storage may be refused (private windows): the system's theme and the wide sidebar stand then.
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
