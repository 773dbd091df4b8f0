// Lists the steps of the trace that the element shows.

const view = document.querySelector('stepscope-view');
const list = document.querySelector('#steps');

view.addEventListener('loaded', async () => {
  const {ranks} = await view.summary();
  for (const step of ranks[0].steps) {
    const item = document.createElement('li');
    item.textContent = `step ${step.name}: ${(step.length_ns / 1e6).toFixed(1)} ms`;
    list.append(item);
  }
});
view.addEventListener('error', ({detail}) => list.append(detail.message));
