// The page's own face for texts on canvases: a worker has no style sheets, and loads it on its own.

/** As `fonts/inter.css` names it. */
const FACE = 'Stepscope Inter';

/** Longest wait of the first picture for it, in ms. */
const PATIENCE = 500;

/** Settled once the face is there, or it is clear that it does not come. @type {Promise<void> | undefined} */
let coming;
let isSettled = false;

/** Loads the face if a font names it. Returns null if texts can be drawn, else a promise that settles when they can. @param {string} font a CSS family @returns {Promise<void> | null} */
export function faceOf(font) {
  if (isSettled || !font.includes(FACE)) return null;
  return (coming ??= load());
}

async function load() {
  const {fonts} = /** @type {{fonts?: FontFaceSet}} */ (/** @type {unknown} */ (self));
  try {
    if (!fonts) return;
    const face = new FontFace(FACE, `url('${new URL('../../fonts/inter.woff2', import.meta.url).href}')`, {weight: '100 900'});
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
    // One that comes too late is not used: texts that were measured with another face would not fit.
    await Promise.race([face.load().then(() => isSettled || fonts.add(face)), late]);
  } catch {
    // Without it, texts have the system's face.
  } finally {
    isSettled = true;
  }
}
