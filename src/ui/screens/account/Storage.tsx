import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Address, type Hash, toWord } from '#primitives/hex.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { FieldList, FieldRow } from '#ui/components/FieldList.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { fetchSlot, fetchStorage } from '#ui/queries/accounts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Storage.module.css'

const css = classNames(styles)

/** How many slots are drawn at first. */
const SHOWN = 50

/** Shows the account's storage. */
export function Storage({ address }: { address: Address }) {
  const { devnet } = useCapabilities()
  return (
    <>
      <SlotForm address={address} />
      {devnet ? (
        <AllSlots address={address} />
      ) : (
        <p className="muted">This endpoint cannot list an account’s slots, but you can read them one at a time.</p>
      )}
    </>
  )
}

function AllSlots({ address }: { address: Address }) {
  const provider = useProvider()
  const [shown, setShown] = useState(SHOWN)
  // Not refreshed automatically, as it may be large.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['storage', address],
    queryFn: () => fetchStorage(provider, address),
    staleTime: 1_000,
  })
  if (error) return <ErrorNote error={error} />
  if (!data) return <p className="empty">Reading the storage…</p>
  const { slots, isWhole } = data
  const left = slots.length - shown
  return (
    <>
      <div className={css('head')}>
        <p role="status" className="muted">
          {isWhole ? standWords(slots.length) : `The first ${formatInteger(slots.length)} slots that are not 0`}, as of
          the pending block when this was read.
        </p>
        <Button size="small" disabled={isFetching} onClick={() => void refetch()}>
          Read again
        </Button>
      </div>
      {slots.length > 0 && (
        <div className={css('scroll')}>
          <table className={css('table')} aria-label="Storage slots">
            <thead>
              <tr>
                <th scope="col">Slot</th>
                <th scope="col">Value</th>
                <th scope="col">As a number</th>
              </tr>
            </thead>
            <tbody>
              {slots.slice(0, shown).map(([slot, word]) => (
                <tr key={slot}>
                  <th scope="row" title={slot}>
                    {slotName(slot)}
                  </th>
                  <td>{word}</td>
                  <td className={css('number')}>{numberOf(word)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {left > 0 && (
        <div>
          <Button size="small" onClick={() => setShown(shown + 4 * SHOWN)}>
            Show more of {formatInteger(left)} left
          </Button>
        </div>
      )}
    </>
  )
}

function standWords(count: number): string {
  if (count === 0) return 'All slots are 0'
  return `${formatCount(count, 'slot')} ${count === 1 ? 'is' : 'are'} not 0`
}

/** Low slots are variables in order; others are hashes, used for mappings, arrays and names. */
const NUMBERED = 100_000n
/** A larger word is hardly a number. */
const READABLE = 10n ** 30n

function slotName(slot: Hash): string {
  return BigInt(slot) < NUMBERED ? String(BigInt(slot)) : slot
}

function numberOf(word: Hash): string {
  return BigInt(word) < READABLE ? formatInteger(BigInt(word)) : '–'
}

function SlotForm({ address }: { address: Address }) {
  const provider = useProvider()
  const [text, setText] = useState('0')
  const [problem, setProblem] = useState<string>()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (slot: bigint) => ({ slot, word: await fetchSlot(provider, address, slot) }),
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    const parsed = parseSlot(text)
    setProblem(parsed.ok ? undefined : parsed.problem)
    if (parsed.ok) mutate(parsed.slot)
  }
  return (
    <>
      <form className={css('form')} onSubmit={submit} noValidate>
        <TextField
          label="One slot"
          hint="Slot number, or 32 bytes in hex."
          look="mono"
          error={problem}
          value={text}
          onChange={setText}
        />
        <Button type="submit" disabled={isPending}>
          Read
        </Button>
      </form>
      {error && <ErrorNote error={error} />}
      {data && (
        <FieldList>
          <FieldRow name={`Slot ${slotName(toWord(data.slot))}`} raw={data.word} mono>
            {data.word}
          </FieldRow>
        </FieldList>
      )}
    </>
  )
}

export type SlotResult = { readonly ok: true; readonly slot: bigint } | { readonly ok: false; readonly problem: string }

/** Parses a storage slot, decimal or hexadecimal. */
export function parseSlot(text: string): SlotResult {
  const trimmed = text.trim()
  if (!/^(\d+|0x[0-9a-f]+)$/i.test(trimmed)) {
    return { ok: false, problem: 'Not a slot. Enter digits, or 0x and hexadecimal digits.' }
  }
  const slot = BigInt(trimmed)
  return slot < 2n ** 256n ? { ok: true, slot } : { ok: false, problem: 'Slots go from 0 to 2^256 − 1.' }
}
