/** CSS pixels of a length in rem: it grows with the size of text that a person has chosen in the browser. */
export function inPixels(rem: number): number {
  return rem * parseFloat(getComputedStyle(document.documentElement).fontSize)
}
