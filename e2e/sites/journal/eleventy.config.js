module.exports = (config) => {
  config.addPassthroughCopy('src/assets');
  config.addCollection('posts', (api) => api.getFilteredByGlob('src/posts/*.md'));
};
