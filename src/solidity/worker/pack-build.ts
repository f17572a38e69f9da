import { keccakOfText } from '#solidity/keccak.ts'

/** Everything about a compilation, as the compiler got and gave it. */
export interface BuildTexts {
  /** The compiler's version: `0.8.37+commit.f401782d`. */
  readonly compiler: string
  /** Standard JSON input, with every source that was compiled. */
  readonly input: string
  /** Standard JSON output: also the AST, source maps, storage layouts and metadata. */
  readonly output: string
}

/** A build as the page keeps it. */
export interface PackedBuild {
  /** The same for the same compiler and input. */
  readonly id: string
  /** The compiler's version. */
  readonly compiler: string
  /** Bytes of the unpacked texts. */
  readonly textBytes: number
  /** A gzip file: JSON, a list of the compiler's version, the input and the output. */
  readonly texts: ArrayBuffer
}

/** Packs a build so that the page can keep it without reading its texts, which have several megabytes. */
export async function packBuild({ compiler, input, output }: BuildTexts): Promise<PackedBuild> {
  const bytes = new TextEncoder().encode(JSON.stringify([compiler, input, output]))
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  return {
    id: keccakOfText(`${compiler}\n${input}`),
    compiler,
    textBytes: bytes.length,
    texts: await new Response(packed).arrayBuffer(),
  }
}
