import { EndpointDialog } from '#ui/connect/EndpointDialog.tsx'
import { ForkDialog } from './ForkDialog.tsx'

/** The dialog about a chain elsewhere: to show it, or to continue it. */
export function ElsewhereDialog({ which, onClose }: { which: 'endpoint' | 'fork'; onClose: () => void }) {
  return which === 'fork' ? <ForkDialog onClose={onClose} /> : <EndpointDialog onClose={onClose} />
}
