import { useEffect } from 'react'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { useAwaitedContracts } from '#ui/decode/known-contracts.ts'
import { shortHex } from '#ui/format/hex.ts'
import { useProvider } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './AwaitedContracts.module.css'
import { selectContract } from './deploy.ts'
import { settleAwaited } from './settle-awaited.ts'

const css = classNames(styles)

/** Deployments that no block includes yet, sent in this visit or before. */
export function AwaitedContracts() {
  const provider = useProvider()
  const awaited = useAwaitedContracts()
  useEffect(() => {
    for (const hash of awaited.keys()) settleAwaited(provider, hash, selectContract)
  }, [provider, awaited])
  if (awaited.size === 0) return null
  return (
    <ul className={css('awaited')} aria-label="Contracts waiting for a block">
      {[...awaited].map(([hash, { name }]) => (
        <li key={hash} className={css('waiting')}>
          <Glyph sign="mempool" size={13} />
          <span>
            {name} is waiting for a block:{' '}
            <AppLink to={`/tx/${hash}`} className="mono">
              {shortHex(hash)}
            </AppLink>
          </span>
        </li>
      ))}
    </ul>
  )
}
