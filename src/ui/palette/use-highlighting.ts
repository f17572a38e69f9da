import { useEffect, useRef } from 'react'
import { highlight, highlightedNow, type Wanted } from '#ui/feed/highlight.ts'

/**
 * Lets the squares of what is being typed stand out; those from before do again afterwards.
 *
 * @returns Call it when what was typed is chosen: it then goes on standing out.
 */
export function useHighlighting(wanted: Wanted | undefined): () => void {
  const before = useRef(highlightedNow())
  useEffect(() => highlight(wanted ?? before.current), [wanted])
  useEffect(() => () => highlight(before.current), [])
  return () => {
    before.current = wanted
  }
}
