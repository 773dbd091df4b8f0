// A turn for others.

/** @returns {Promise<void>} after whatever else waits had its turn */
export function turn() {
  const {port1, port2} = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
