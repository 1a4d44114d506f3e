import adapter from '@sveltejs/adapter-node';

/** The base path is that of the rule that mounts the site. */
export default { kit: { adapter: adapter({ out: 'built', precompress: false }), paths: { base: '/tides' } } };
