/** How long the browser has to start a download, in milliseconds. */
const KEEP_MS = 60_000

/** Makes the browser save a file under that name. */
export function download(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS)
}
