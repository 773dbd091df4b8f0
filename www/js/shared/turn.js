// A turn for others.

/** Milliseconds between two reports of progress, and after which other messages, such as one to stop, get a turn. */
export const TURN = 50;

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
