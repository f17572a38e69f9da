/** Has the page leave out what takes long to paint; see `data-painting` in base.css. */
export function paintPlainly(): void {
  document.documentElement.dataset['painting'] = 'plain'
}

/** Whether things may grow into sight, frame by frame: not where things may not move, nor where frames take too long. */
export function mayGrow(): boolean {
  return mayMove() && document.documentElement.dataset['painting'] !== 'plain'
}

/** Whether things may move: not where the system or the page's address asks for stillness, nor where nobody looks. */
export function mayMove(): boolean {
  return (
    !document.hidden &&
    document.documentElement.dataset['motion'] !== 'off' &&
    !window.matchMedia('(prefers-reduced-motion: reduce)').matches
  )
}
