import { othersText } from '#ui/format/contract-text.ts'

/** Characters of a method's documentation. */
const LONGEST = 2_000

/** A sentence of the node's documentation, whose names stand in backticks. */
export function Prose({ text }: { text: string }) {
  // Every other piece stood in backticks; pieces have no other name than their place.
  return othersText(text, LONGEST)
    .split('`')
    .map((piece, i) => (i % 2 === 1 ? <code key={i}>{piece}</code> : piece))
}
