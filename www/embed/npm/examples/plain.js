// Files that a person chooses are opened in the element below.

for (const name of ['before', 'after']) {
  const view = document.getElementById(`view-${name}`);
  const tell = (text) => (document.getElementById('told').textContent = `${name}: ${text}`);
  document.getElementById(name).addEventListener('change', async ({target}) => {
    try {
      await view.open([...target.files]);
      const {ranks} = await view.summary();
      tell(`${ranks[0].average.step_ns / 1e6} ms a step`);
    } catch (error) {
      // Only the later one of two choices is reported.
      if (error.name !== 'AbortError') tell(error.message);
    }
  });
}
