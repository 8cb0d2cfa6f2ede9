// @ts-check
// Brings a picture to a size and a format, and paints boxes over it. Which boxes is decided elsewhere.

/** Bytes that are made text at once; the arguments of one call are not without end. */
const CHUNK = 0x8000;

/**
 * @param {string} data A picture, base64.
 * @param {string} type The media type it gets.
 * @param {number} most Pixels of the longer side at most.
 * @param {number} across CSS px that the picture shows from left to right.
 * @param {number[][]} boxes From the left, from the top, width and height, CSS px.
 */
export const paint = async (data, type, most, across, boxes) => {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const scale = Math.min(1, most / Math.max(image.width, image.height));
  const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = new OffscreenCanvas(width, height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, width, height);
  image.close();
  const unit = across > 0 ? width / across : 1;
  context.fillStyle = '#202124';
  // A pixel more on each side: boxes are rounded.
  for (const [x, y, wide, high] of boxes) {
    context.fillRect(Math.floor((x - 1) * unit), Math.floor((y - 1) * unit), Math.ceil((wide + 2) * unit) + 1, Math.ceil((high + 2) * unit) + 1);
  }
  const painted = new Uint8Array(await (await canvas.convertToBlob({ type, quality: 0.8 })).arrayBuffer());
  let text = '';
  for (let at = 0; at < painted.length; at += CHUNK) text += String.fromCharCode(...painted.subarray(at, at + CHUNK));
  return { data: btoa(text), width, height };
};
