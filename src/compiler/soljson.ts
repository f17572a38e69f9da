/** The part of solc's Emscripten module that is used here. */
export interface Soljson {
  cwrap(name: 'solidity_version', result: 'string', parameters: []): () => string
  cwrap(name: 'solidity_reset', result: null, parameters: []): () => void
  cwrap(
    name: 'solidity_compile',
    result: 'string',
    parameters: ['string', 'number', 'number'],
  ): (input: string, readCallback: number, context: number) => string
}

/** A compiler that takes and gives standard JSON. */
export interface Solc {
  /** As it says it: `0.8.37+commit.f401782d.Emscripten.clang`. */
  readonly version: string
  readonly compile: (input: string) => string
}

/** A compiler's version as builds have it: `0.8.37+commit.f401782d`. */
export function versionOf({ version }: Pick<Solc, 'version'>): string {
  return version.replace(/\.Emscripten.*/, '')
}

/** Binds the compiler's functions. It reads no files: imported sources have to be in the input. */
export function bindSolc(soljson: Soljson): Solc {
  const compile = soljson.cwrap('solidity_compile', 'string', ['string', 'number', 'number'])
  const reset = soljson.cwrap('solidity_reset', null, [])
  return {
    version: soljson.cwrap('solidity_version', 'string', [])(),
    compile(input) {
      try {
        return compile(input, 0, 0)
      } finally {
        // Frees what the compiler holds of this run.
        reset()
      }
    },
  }
}
