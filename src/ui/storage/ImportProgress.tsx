import { useMutation, useQuery } from '@tanstack/react-query'
import type { DevnetImport } from '#rpc-types/methods/devnet.ts'
import { Button } from '#ui/components/Button.tsx'
import { formatInteger } from '#ui/format/numbers.ts'
import { useProvider } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './StorageDialog.module.css'
import { importQuery } from './storage-query.ts'

const css = classNames(styles)

const DOING: Readonly<Record<DevnetImport['step'], string>> = {
  blocks: 'Checking blocks',
  states: 'Checking states',
  'partial-blocks': 'Executing partial blocks',
}

/**
 * The progress of an import, with a button to cancel it.
 *
 * @param onCancelled - Called when it was cancelled and the old chain stays.
 */
export function ImportProgress({ onCancelled }: { onCancelled: () => void }) {
  const provider = useProvider()
  const { data: progress } = useQuery(importQuery(provider))
  const cancelling = useMutation({
    mutationFn: () => provider.request({ method: 'devnet_cancelImport' }),
    onSuccess: (isCancelled) => isCancelled && onCancelled(),
  })
  return (
    <div className={css('usage')}>
      {progress && (
        <>
          <p>
            {DOING[progress.step]}: {formatInteger(progress.done)} of {formatInteger(progress.total)}
          </p>
          <div
            role="progressbar"
            aria-label={DOING[progress.step]}
            aria-valuenow={progress.done}
            aria-valuemax={progress.total}
            className={css('track')}
          >
            <div className={css('bar')} style={{ width: `${(100 * progress.done) / Math.max(progress.total, 1)}%` }} />
          </div>
        </>
      )}
      <div>
        <Button size="small" disabled={!progress || cancelling.isPending} onClick={() => cancelling.mutate()}>
          Cancel import
        </Button>
      </div>
    </div>
  )
}
