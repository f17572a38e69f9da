/** A sentence of the node's documentation, whose names stand in backticks. */
export function Prose({ text }: { text: string }) {
  // Every other piece stood in backticks; pieces have no other name than their place.
  return text.split('`').map((piece, i) => (i % 2 === 1 ? <code key={i}>{piece}</code> : piece))
}
