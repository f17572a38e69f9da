import { Plug } from 'lucide-react'
import type { RemoteView } from '#client/session/session.ts'
import { Button } from '#ui/components/Button.tsx'
import { openDialog } from '#ui/page/shell-dialog.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './EndpointButton.module.css'

const css = classNames(styles)

/** Shows the remote chain of the page, and opens a dialog to choose another. */
export function EndpointButton({ remote: { endpoint } }: { remote: RemoteView }) {
  return (
    <Button
      size="small"
      onClick={() => openDialog('endpoint')}
      aria-haspopup="dialog"
      aria-label={`Endpoint: ${endpoint.host}`}
      title={`Connected to ${endpoint.url}`}
    >
      <Plug size={14} aria-hidden="true" />
      <span className={css('name')}>{endpoint.host}</span>
    </Button>
  )
}
