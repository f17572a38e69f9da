import type { ReactNode } from 'react'
import { othersText } from '#ui/format/contract-text.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { LoadBoundary } from './LoadBoundary.tsx'
import { ReloadButton } from './RetryButton.tsx'

/**
 * Around a dialog whose code comes when it is first opened. It stands over the page, so until then there is nothing
 * to show.
 *
 * @param onClose - Leaves the dialog that did not come.
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
