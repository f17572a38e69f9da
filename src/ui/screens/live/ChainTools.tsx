import { FaultsPanel } from './FaultsPanel.tsx'
import { LoadPanel } from './LoadPanel.tsx'

/** What can be done to a chain of Blinknet's kind; the page loads it after what is seen first. */
export function ChainTools() {
  return (
    <>
      <LoadPanel />
      <FaultsPanel />
    </>
  )
}
