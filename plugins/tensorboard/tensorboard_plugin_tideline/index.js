// The tab: asks the program behind TensorBoard for its page and starts it in this frame.
const here = (path) => new URL(path, import.meta.url).href;

export async function render() {
  const about = await fetch(here('about'));
  if (!about.ok) { document.body.textContent = (await about.json()).error.message; return; }
  const {start} = await import(here('page/main.js'));
  await start({api: here('api/v1/'), about: here('about'), sources: here('sources'), open: here('open'),
               headers: {'X-Tideline': '1'}, plugin: true});
}
