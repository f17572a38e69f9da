import type { Claim } from '#solidity/build/build.ts'

/** The compiler's version, input and output. */
interface Texts {
  readonly compiler: string
  readonly input: string
  readonly output: string
}

/**
 * Packs a build without an id: a gzip file with a JSON list of its texts, and their size in bytes before.
 *
 * @param claimed - If nobody compiled it here.
 */
export async function packTexts({ compiler, input, output }: Texts, claimed?: Claim) {
  const list = [compiler, input, output, ...(claimed ? [claimed] : [])]
  const bytes = new TextEncoder().encode(JSON.stringify(list))
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  return { compiler, textBytes: bytes.length, texts: await new Response(packed).arrayBuffer() }
}
