// Reads a Blob in the fastest way there is, the page's own: in a worker, into one buffer again and again.

/** Chromium collects a stream that nothing but its own pending read refers to: the read would never end. */
let held;

self.onmessage = async ({data: file}) => {
  const start = performance.now();
  const stream = file.stream();
  const reader = stream.getReader({mode: 'byob'});
  held = {stream, reader};
  for (let buffer = new ArrayBuffer(1 << 20); ;) {
    const {done, value} = await held.reader.read(new Uint8Array(buffer));
    if (done) break;
    buffer = value.buffer;
  }
  self.postMessage(performance.now() - start);
};
