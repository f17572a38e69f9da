/** Whether things may move: not where the system or the page's address asks for stillness, nor where nobody looks. */
export function mayMove(): boolean {
  return (
    !document.hidden &&
    document.documentElement.dataset['motion'] !== 'off' &&
    !window.matchMedia('(prefers-reduced-motion: reduce)').matches
  )
}
