import { useLocation, useSearch } from 'wouter'
import { beginScreen } from './begin-screen.ts'

/** Goes to a screen as a link would: the set-up in the address stays, and the screen begins with the focus. */
export function useGo(): (path: string) => void {
  const show = useShow()
  return (path) => {
    show(path)
    beginScreen()
  }
}

/** The same for those who have the focus elsewhere. */
export function useShow(): (path: string) => void {
  const [, navigate] = useLocation()
  const search = useSearch()
  return (path) => navigate(search ? `${path}?${search}` : path)
}
