import type { Sight } from './batch-events.ts'

/** Whether a document can be seen, as the browser tells. */
export function documentSight(document: Document): Sight {
  return {
    isHidden: () => document.hidden,
    onShown(listener) {
      const onChange = () => {
        if (!document.hidden) listener()
      }
      document.addEventListener('visibilitychange', onChange)
      return () => document.removeEventListener('visibilitychange', onChange)
    },
  }
}
