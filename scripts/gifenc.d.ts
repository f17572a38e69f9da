/** The part of gifenc that `scripts/pictures.mjs` uses; the package has no types. */
declare module 'gifenc' {
  type Palette = readonly (readonly number[])[]
  interface FrameOptions {
    readonly palette?: Palette
    /** Milliseconds. */
    readonly delay: number
    readonly transparent: boolean
    readonly transparentIndex: number
    /** 1: the next frame is drawn on top of this one. */
    readonly dispose: number
  }
  const gifenc: {
    GIFEncoder(): {
      writeFrame(indices: Uint8Array, width: number, height: number, options: FrameOptions): void
      finish(): void
      bytes(): Uint8Array
    }
    quantize(rgba: Uint8Array, colours: number): Palette
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array
  }
  export default gifenc
}
