import { Info } from 'lucide-react'
import { Notice } from '#ui/components/Notice.tsx'
import { useCapabilities, useSession } from '#ui/session.ts'
import { missingFeatures } from './remote-words.ts'

/** What the endpoint cannot do, in words; nothing where it can do everything. */
export function MissingFeatures() {
  const { remote } = useSession()
  const missing = missingFeatures(useCapabilities())
  if (!remote || missing.length === 0) return null
  return (
    <Notice label="What this endpoint lacks" icon={Info} look="plain">
      {missing.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Notice>
  )
}
