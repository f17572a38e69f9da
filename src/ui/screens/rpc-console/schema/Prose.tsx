import { othersText } from '#ui/format/contract-text.ts'

/** Longest documentation shown, in characters. */
const LONGEST = 2_000

/** A sentence of the node's documentation, with names in backticks. */
export function Prose({ text }: { text: string }) {
  // Every other piece was in backticks; pieces are identified by their index.
  return othersText(text, LONGEST)
    .split('`')
    .map((piece, i) => (i % 2 === 1 ? <code key={i}>{piece}</code> : piece))
}
