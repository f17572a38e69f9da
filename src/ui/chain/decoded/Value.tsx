import { useState } from 'react'
import type { Address as AddressHex, Hex } from '#primitives/hex.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Button } from '#ui/components/Button.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import type { Argument, ShownValue } from '#ui/decode/decoded.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { mediumHex } from '#ui/format/hex.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { TokenAmount } from './TokenAmount.tsx'
import styles from './Value.module.css'

const css = classNames(styles)

/** How many characters of a text, and items of a list, are shown at first. */
const SHOWN_CHARACTERS = 240
const SHOWN_ITEMS = 10
/** Characters of a word with `0x`: the longest bytes that are shown in full. */
const SHOWN_DIGITS = 66
const LARGEST = 2n ** 256n - 1n

/**
 * A value, shown by its type: an address links to its account, amounts are exact, long values are shortened and can be
 * copied.
 */
export function Value({ value, label }: { value: ShownValue; label: string }) {
  switch (value.kind) {
    case 'address':
      return <Address address={value.address} />
    case 'function':
      return (
        <span className={css('bytes')}>
          <Address address={value.address} />
          <span className="muted">selector</span>
          <code>{value.selector}</code>
          <CopyButton value={`0x${value.address.slice(2)}${value.selector.slice(2)}`} label={label} />
        </span>
      )
    case 'integer':
      if (value.name !== undefined) {
        return (
          <span>
            <code>{value.name}</code> <span className="muted">({formatInteger(value.integer)})</span>
          </span>
        )
      }
      return (
        <span className={css('number')}>
          {formatInteger(value.integer)}
          {value.integer === LARGEST && <span className="muted"> (the largest uint256)</span>}
        </span>
      )
    case 'boolean':
      return <code>{String(value.boolean)}</code>
    case 'bytes':
      return <Bytes bytes={value.bytes} label={label} />
    case 'text':
      return <Text text={value.text} label={label} />
    case 'list':
      return <List items={value.items} label={label} />
    case 'tuple':
      return <Arguments args={value.members} />
    case 'hashed':
      return (
        <span className={css('bytes')}>
          <span className="muted">(hash of the value)</span>
          <Bytes bytes={value.hash} label={label} />
        </span>
      )
  }
}

/** Bytes that can be copied; of long ones only the ends and the length are shown. */
export function Bytes({ bytes, label }: { bytes: Hex; label: string }) {
  if (bytes === '0x') return <span className="muted">no bytes</span>
  const isLong = bytes.length > SHOWN_DIGITS
  return (
    <span className={css('bytes')}>
      <code>{isLong ? mediumHex(bytes) : bytes}</code>
      {isLong && <span className="muted">{formatCount(bytes.length / 2 - 1, 'byte')}</span>}
      <CopyButton value={bytes} label={label} />
    </span>
  )
}

function Text({ text, label }: { text: string; label: string }) {
  const isLong = text.length > SHOWN_CHARACTERS
  return (
    <span className={css('text')}>
      “<bdi>{othersText(text, SHOWN_CHARACTERS)}</bdi>”
      {isLong && (
        <>
          <span className="muted"> {formatCount(text.length, 'character')}</span>
          <CopyButton value={text} label={label} />
        </>
      )}
    </span>
  )
}

function List({ items, label }: { items: readonly ShownValue[]; label: string }) {
  const [shown, setShown] = useState(SHOWN_ITEMS)
  if (items.length === 0) return <span className="muted">an empty list</span>
  const left = items.length - shown
  return (
    <div className={css('list')}>
      <ol className={css('items')} start={0}>
        {items.slice(0, shown).map((item, i) => (
          // Items of a list may repeat and never change, so their index is the key.
          <li key={i} className={css('item')}>
            <span className={css('position')}>{i}</span>
            <Value value={item} label={`${label}, item ${i}`} />
          </li>
        ))}
      </ol>
      {left > 0 && (
        <Button size="small" onClick={() => setShown(shown + 10 * SHOWN_ITEMS)}>
          Show more of {formatInteger(left)} left
        </Button>
      )}
    </div>
  )
}

/**
 * Names, types and values, one per line; an argument without a name shows its index.
 *
 * @param amounts - Positions of those that are amounts of a token.
 */
export function Arguments({
  args,
  token,
  amounts = [],
}: {
  args: readonly Argument[]
  token?: AddressHex | undefined
  amounts?: readonly number[]
}) {
  if (args.length === 0) return <span className="muted">none</span>
  return (
    <dl className={css('args')}>
      {args.map(({ name, type, value }, i) => {
        const label = name || `#${i}`
        return (
          // Two arguments may have the same name.
          <div key={i} className={css('arg')}>
            <dt className={css('name')}>
              {label} <span className={css('type')}>{type}</span>
            </dt>
            <dd className={css('argument')}>
              <Value value={value} label={label} />
              {token && value.kind === 'integer' && amounts.includes(i) && (
                <TokenAmount token={token} value={value.integer} />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
