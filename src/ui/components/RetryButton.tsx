import { RotateCcw } from 'lucide-react'
import { Button } from './Button.tsx'

/** Retries what failed. */
export function RetryButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button look="primary" onClick={onClick}>
      <RotateCcw size={16} aria-hidden="true" />
      {children}
    </Button>
  )
}

/** Reloads the page. */
export function ReloadButton({ children = 'Reload' }: { children?: string }) {
  return <RetryButton onClick={() => location.reload()}>{children}</RetryButton>
}
