// Runs before the first paint, as a file of its own because the page's policy allows no inline script.
// Storage may be refused (private windows): the system's choice stands then.
(() => {
  try {
    const chosen = localStorage.getItem('homeport.theme');
    if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  } catch {
    delete document.documentElement.dataset.theme;
  }
})();
