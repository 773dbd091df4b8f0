// Files that a person chooses are opened in the element below.

for (const name of ['before', 'after']) {
  const view = document.getElementById(`view-${name}`);
  document.getElementById(name).addEventListener('change', ({target}) => view.open([...target.files]));
  view.addEventListener('loaded', async () => {
    const {ranks} = await view.summary();
    document.getElementById('told').textContent = `${name}: ${ranks[0].average.step_ns / 1e6} ms a step`;
  });
  view.addEventListener('error', ({detail}) => (document.getElementById('told').textContent = detail.message));
}
