// A script that knows only the root of its domain: what a proxy cannot change, the merge doctor names.
document.documentElement.dataset.script = 'ran';
const tidesFile = '/assets/tides.json';
document.addEventListener('click', async ({ target }) => {
  if (target instanceof HTMLImageElement) target.title = (await (await fetch(tidesFile)).json()).next;
});
