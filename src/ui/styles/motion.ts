/** Has the page leave out what takes long to paint, or not; see `data-painting` in base.css. */
export function paintAs(how: 'plain' | 'full'): void {
  if (how === 'plain') document.documentElement.dataset['painting'] = how
  else delete document.documentElement.dataset['painting']
}

/** Says that the page is being recorded, and so painted in full. */
export function markRecorded(now: boolean): void {
  if (now) document.documentElement.dataset['recorded'] = ''
  else delete document.documentElement.dataset['recorded']
}

/** Whether the page is being recorded. */
export function isRecorded(): boolean {
  return document.documentElement.dataset['recorded'] !== undefined
}

/** Whether things may grow into sight, frame by frame: not where things may not move, nor where frames take too long. */
export function mayGrow(): boolean {
  return mayMove() && (isRecorded() || document.documentElement.dataset['painting'] !== 'plain')
}

/** Whether things may move: not where the system or the page's address asks for stillness, nor where nobody looks. */
export function mayMove(): boolean {
  return (
    !document.hidden &&
    document.documentElement.dataset['motion'] !== 'off' &&
    !window.matchMedia('(prefers-reduced-motion: reduce)').matches
  )
}
