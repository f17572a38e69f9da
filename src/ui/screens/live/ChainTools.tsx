import { FaultsPanel } from './FaultsPanel.tsx'
import { LoadPanel } from './LoadPanel.tsx'

/** Tools for a Blinknet chain; the page loads them after what is seen first. */
export function ChainTools() {
  return (
    <>
      <LoadPanel />
      <FaultsPanel />
    </>
  )
}
