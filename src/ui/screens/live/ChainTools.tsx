import { FaultsPanel } from './faults/FaultsPanel.tsx'
import { LoadPanel } from './LoadPanel.tsx'

/** Tools for a Blinknet chain, loaded after the first view. */
export function ChainTools() {
  return (
    <>
      <LoadPanel />
      <FaultsPanel />
    </>
  )
}
