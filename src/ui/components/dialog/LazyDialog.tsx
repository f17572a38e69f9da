import type { ReactNode } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { LoadBoundary } from '#ui/components/LoadBoundary.tsx'
import { ReloadButton } from '#ui/components/RetryButton.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { Dialog } from './Dialog.tsx'

/**
 * Wraps a dialog whose code is loaded when it is first opened. It covers the page, so nothing is shown until then.
 *
 * @param onClose - Closes a dialog that could not be loaded.
 */
export function LazyDialog({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <LoadBoundary
      waiting={null}
      renderFailure={(error) => (
        <Dialog
          title="This dialog could not be shown"
          onDismiss={onClose}
          actions={
            <>
              <Button onClick={onClose}>Close</Button>
              <ReloadButton />
            </>
          }
        >
          <p>The chain keeps running. Reload the page to load the dialog again.</p>
          <p className="mono">{othersText(error.message)}</p>
        </Dialog>
      )}
    >
      {children}
    </LoadBoundary>
  )
}
