import { type DragEvent, useState } from 'react'
import { droppedEntries } from '#ui/screens/contracts/project/read-folder.ts'

/** What was dropped. Files that are no files of the system, such as a mail's, have no entries. */
export interface Dropped {
  readonly entries: readonly FileSystemEntry[]
  readonly files: readonly File[]
}

/** Takes files and folders that are dropped on a part of the page, before any widget in it does. */
export function useFileDrop(onDrop: (dropped: Dropped) => void) {
  const [isOver, setIsOver] = useState(false)
  const take = (event: DragEvent): boolean => {
    if (!event.dataTransfer.types.includes('Files')) return false
    // Also tells the page that it is not a chain's file.
    event.preventDefault()
    return true
  }
  const handlers = {
    onDragOver: (event: DragEvent) => take(event) && setIsOver(true),
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false)
    },
    onDropCapture: (event: DragEvent) => {
      if (!take(event)) return
      event.stopPropagation()
      setIsOver(false)
      const { items, files } = event.dataTransfer
      onDrop({ entries: droppedEntries(items), files: [...files] })
    },
  }
  return { isOver, handlers }
}
