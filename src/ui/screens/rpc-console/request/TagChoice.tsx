import type { OpenRpcMethod } from '#rpc-types/open-rpc.ts'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { isBlockParam } from '#ui/screens/rpc-console/schema/example-params.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './RequestPanel.module.css'

const css = classNames(styles)

const TAGS = ['latest', 'pending', 'safe', 'finalized', 'earliest'] as const
type Tag = (typeof TAGS)[number]
const OPTIONS = TAGS.map((tag) => ({ value: tag, label: tag }))

/** Sets a method's block parameter to one of the tags. */
export function TagChoice({
  method,
  params,
  onChange,
}: {
  method: OpenRpcMethod
  /** `undefined` while the typed parameters are invalid. */
  params: readonly unknown[] | undefined
  onChange: (params: readonly unknown[]) => void
}) {
  const position = method.params.findIndex(isBlockParam)
  if (position < 0) return undefined
  const current = params?.[position]

  function choose(tag: Tag): void {
    // Earlier parameters that were left out may be null.
    const filled: unknown[] = Array.from(
      { length: Math.max(position, params?.length ?? 0) },
      (_, i) => params?.[i] ?? null,
    )
    filled[position] = tag
    onChange(filled)
  }

  return (
    <div className={css('tags')}>
      <Segmented
        legend="Block tag"
        options={OPTIONS}
        value={TAGS.find((tag) => tag === current)}
        onChange={choose}
        disabled={!params}
      />
    </div>
  )
}
