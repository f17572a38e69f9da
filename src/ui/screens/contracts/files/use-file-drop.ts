import { type DragEvent, useState } from 'react'
import { droppedEntries } from '#ui/screens/contracts/project/read-folder.ts'

/** What was dropped. Files that are not in the file system, such as attachments of a mail, have no entries. */
export interface Dropped {
  readonly entries: readonly FileSystemEntry[]
  readonly files: readonly File[]
}

/** Accepts files and folders dropped on a part of the page, before any widget in it can. */
export function useFileDrop(onDrop: (dropped: Dropped) => void) {
  const [isOver, setIsOver] = useState(false)
  const take = (event: DragEvent): boolean => {
    if (!event.dataTransfer.types.includes('Files')) return false
    // This also keeps the page from taking the file for a stored chain.
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
