/** The compiler's version, input and output. */
interface Texts {
  readonly compiler: string
  readonly input: string
  readonly output: string
}

/** Packs a build without an id: a gzip file with a JSON list of its texts, and their size in bytes before. */
export async function packTexts({ compiler, input, output }: Texts) {
  const bytes = new TextEncoder().encode(JSON.stringify([compiler, input, output]))
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  return { compiler, textBytes: bytes.length, texts: await new Response(packed).arrayBuffer() }
}
