/** What a precompile answers. */
export type PrecompileResult =
  | { readonly gasUsed: bigint; readonly output: Uint8Array; readonly failure?: undefined }
  /** The precompile failed, and all gas is used. */
  | { readonly failure: string }
