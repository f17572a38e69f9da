import { useCallback } from 'react'
import { create } from 'zustand'
import type { SelectorTable } from '#ui/decode/selector-table.ts'
import { isMissingScript } from '#ui/format/missing-script.ts'

/** Milliseconds before its file is asked for again, if it did not come. */
const AGAIN_MS = 5_000

/** The table of known interfaces, once something has asked for it. */
const useLoaded = create<{ readonly table?: SelectorTable }>()(() => ({}))
let isAsked = false

/** Gives the table of known interfaces. The first call loads it; `undefined` until it is there. */
export function useSelectorTable(): () => SelectorTable | undefined {
  const table = useLoaded((loaded) => loaded.table)
  return useCallback(() => {
    if (!table) void load()
    return table
  }, [table])
}

async function load(): Promise<void> {
  if (isAsked) return
  isAsked = true
  try {
    const { createSelectorTable, INTERFACES } = await import('#ui/decode/selector-table.ts')
    const tables: SelectorTable[] = []
    for (const interfaces of INTERFACES) {
      tables.push(createSelectorTable([interfaces]))
      // All hashes at once would hold up a phone for a tenth of a second.
      await new Promise((later) => setTimeout(later))
    }
    useLoaded.setState({ table: { find: (key) => tables.flatMap(({ find }) => find(key)) } })
  } catch (error) {
    // The file did not come: all is shown as it is, and what is drawn later asks again.
    if (!isMissingScript(error)) throw error
    setTimeout(() => {
      isAsked = false
    }, AGAIN_MS)
  }
}
