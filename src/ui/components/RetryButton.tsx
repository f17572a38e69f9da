import { RotateCcw } from 'lucide-react'
import { Button } from './Button.tsx'

/** The way out of a failure: does again what did not work. */
export function RetryButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button look="primary" onClick={onClick}>
      <RotateCcw size={16} aria-hidden="true" />
      {children}
    </Button>
  )
}

/** Loads the page anew. */
export function ReloadButton({ children = 'Reload' }: { children?: string }) {
  return <RetryButton onClick={() => location.reload()}>{children}</RetryButton>
}
