import { FileUp } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSession } from '#ui/page/session.ts'
import { openStorage } from '#ui/page/shell-dialog.ts'
import { FloatingNote } from './FloatingNote.tsx'

/** Takes a file that is dropped anywhere on the page, and asks what to do with it; a note while it is dragged. */
export function FileDropNote() {
  const { watch } = useSession()
  const [isOver, setIsOver] = useState(false)
  const takes = watch !== undefined
  useEffect(() => {
    if (!takes) return undefined
    const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    function onDragOver(event: DragEvent): void {
      if (!holdsFiles(event)) return
      // A part of the page that takes files itself has said so.
      setIsOver(!event.defaultPrevented)
      event.preventDefault()
    }
    function onDragLeave({ relatedTarget }: DragEvent): void {
      if (relatedTarget === null) setIsOver(false)
    }
    function onDrop(event: DragEvent): void {
      setIsOver(false)
      if (event.defaultPrevented || !holdsFiles(event)) return
      // Keeps the browser from leaving the page for the file.
      event.preventDefault()
      const file = event.dataTransfer?.files[0]
      if (file && !document.querySelector('dialog:modal')) openStorage(file)
    }
    document.addEventListener('dragover', onDragOver)
    document.addEventListener('dragleave', onDragLeave)
    document.addEventListener('drop', onDrop)
    return () => {
      document.removeEventListener('dragover', onDragOver)
      document.removeEventListener('dragleave', onDragLeave)
      document.removeEventListener('drop', onDrop)
    }
  }, [takes])
  if (!isOver) return null
  return (
    <FloatingNote name="File" icon={FileUp} what="Drop the file" detail="you choose what happens with it">
      {null}
    </FloatingNote>
  )
}
