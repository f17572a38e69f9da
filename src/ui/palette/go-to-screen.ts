import { useOpenView } from '#ui/page/view-address.ts'

/** Opens a screen. The stage shows no others, so there it leaves the stage. */
export function useGoToScreen(): (path: string) => void {
  const open = useOpenView()
  return (path) => open('page', path)
}
