// Handles of files, by which a browser that has them reads a file again on a later visit: no other one's types know them.

/**
 * @typedef {object} Picking API that only some browsers have
 * @property {(options: {multiple: boolean}) => Promise<FileSystemHandle[]>} [showOpenFilePicker]
 */
/** @typedef {DataTransferItem & {getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>}} Item */
/** @typedef {{mode: 'read'}} Mode */
/** @typedef {FileSystemHandle & {queryPermission?: (mode: Mode) => Promise<PermissionState>, requestPermission?: (mode: Mode) => Promise<PermissionState>}} Asking */

/** @type {Mode} */
const READ = {mode: 'read'};

/** Handles of dropped items, requested while the drop is handled; empty where one of them has none. @param {DataTransferItem[]} items @returns {Promise<FileSystemHandle[]>} */
export async function handlesIn(items) {
  try {
    const found = await Promise.all(items.map((item) => /** @type {Item} */ (item).getAsFileSystemHandle?.() ?? null));
    return found.every((handle) => handle !== null) ? /** @type {FileSystemHandle[]} */ (found) : [];
  } catch {
    return [];
  }
}

/** Handles of files that the person chooses; nothing where the browser has none. @returns {Promise<FileSystemHandle[] | undefined>} */
export async function fileHandles() {
  const {showOpenFilePicker} = /** @type {Picking} */ (globalThis);
  if (!showOpenFilePicker) return undefined;
  try {
    return await showOpenFilePicker({multiple: true});
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return [];
    // Not in every page that has it, as one in a frame.
    if (error instanceof DOMException && error.name === 'SecurityError') return undefined;
    throw error;
  }
}

/** Whether handles may be read, once the person was asked where they have to be: that takes a click. @param {FileSystemHandle[]} handles */
export async function mayRead(handles) {
  for (const handle of /** @type {Asking[]} */ (handles)) {
    if ((await handle.queryPermission?.(READ)) === 'granted') continue;
    if ((await handle.requestPermission?.(READ)) !== 'granted') return false;
  }
  return true;
}
