import { useGo } from '#ui/page/navigation.ts'
import { parsePageOptions } from '#ui/page/page-options.ts'
import { viewAddress } from '#ui/page/view-address.ts'

/** Opens a screen. The stage shows no others, so there it leaves the stage. */
export function useGoToScreen(): (path: string) => void {
  const go = useGo()
  if (parsePageOptions(location.search).view === 'page') return go
  return (path) => {
    const address = new URL(viewAddress('page'))
    address.pathname += path.slice(1)
    location.assign(address)
  }
}
