import { useId, useState } from 'react'
import type { ConnectionState } from '#client/session/connection-state.ts'
import { parseFork } from '#client/session/remote-endpoint.ts'
import { Button } from '#ui/components/Button.tsx'
import { CheckField } from '#ui/components/form/CheckField.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { AddressDialog } from '#ui/connect/AddressDialog.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { useConnection, useSession } from '#ui/page/session.ts'
import { useStatus } from '#ui/queries/status.ts'
import { isUnstored, MEMORY_ENDS } from '#ui/storage/storage-words.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Fork.module.css'
import { goFork } from './fork-consent.ts'
import { FORK_EXAMPLES } from './fork-examples.ts'

/** A number of a block, or nothing. Commas stand before each third digit: `1,5` may be meant as 1.5. */
const BLOCK = /^(?:\d{0,15}|\d{1,3}(?:,\d{3}){1,4})$/

/** Chooses a chain to continue in this tab. What its endpoint can do is found out next, by the page that may ask it. */
export function ForkDialog({ onClose }: { onClose: () => void }) {
  const { fork } = useSession()
  const [url, setUrl] = useState(fork?.endpoint.url ?? '')
  const [block, setBlock] = useState('')
  const [isNow, setIsNow] = useState(() => new URLSearchParams(location.search).get('forkTime') === 'now')
  const [checked, setChecked] = useState(false)
  const number = block.trim().replaceAll(',', '')
  const isNumber = BLOCK.test(block.trim())
  const parsed = parseFork(number === '' ? url : `${url.trim()}@${number}`)
  return (
    <AddressDialog
      title="Fork a chain"
      standing={<Standing />}
      canLeave={fork !== undefined}
      action="Try the endpoint"
      onSubmit={() => {
        setChecked(true)
        if (parsed.ok && isNumber) goFork(parsed, undefined, isNow ? 'now' : 'block')
      }}
      onClose={onClose}
      more={<ForkExamples />}
    >
      <TextField
        label="URL of its endpoint"
        hint="Over https:// or http://, of any Ethereum chain. It must allow this page’s origin (CORS). One that proves its state (eth_getProof) need not be trusted."
        error={checked && !parsed.ok && isNumber ? parsed.why : undefined}
        look="mono"
        type="url"
        inputMode="url"
        placeholder="https://…"
        value={url}
        onChange={setUrl}
      />
      <TextField
        label="After block"
        hint="A number. If left empty, its newest block."
        error={checked && !isNumber ? 'A block is a whole number, such as 21000000 or 21,000,000.' : undefined}
        look="number"
        inputMode="numeric"
        placeholder="newest"
        value={block}
        onChange={setBlock}
      />
      <CheckField checked={isNow} onChange={setIsNow}>
        Start its clock now, not at the block’s time
      </CheckField>
    </AddressDialog>
  )
}

/** What a fork is, or which one this page shows. */
function Standing() {
  const { fork, chain, remote } = useSession()
  const connection = useConnection()
  const words = useForkInWords()
  if (fork) return `${words}. ${isStored(connection) ? FORK_STAYS : `It is in memory and ${MEMORY_ENDS}.`}`
  return `A fork continues a real chain in this browser, with its accounts and contracts. You can send from any account, change what you like, and see what is pre-confirmed: the real chain is not touched. ${
    !remote && (chain === undefined || isUnstored(connection))
      ? `The chain that this page shows now is in memory only and ${MEMORY_ENDS}.`
      : 'Chains that are stored stay as they are.'
  }`
}

const FORK_STAYS =
  'It is stored in this browser with what was fetched: it continues where it stopped when its address is opened again, in any tab.'

function isStored(connection: ConnectionState): boolean {
  const role = connection.status === 'ready' ? connection.role : undefined
  return role !== undefined && role.kind !== 'waits' && role.storage.kind === 'journal'
}

const css = classNames(styles)

/** Chains to fork without a key. Nothing is sent to their hosts before a button is pressed. */
function ForkExamples() {
  const title = useId()
  return (
    <section aria-labelledby={title} className={css('examples')}>
      <h3 id={title} className={css('heading')}>
        Or one of these, without a key
      </h3>
      <ul className={css('choices')}>
        {FORK_EXAMPLES.map(({ chain, fork, what, screen }) => (
          <li key={chain} className={css('choice')}>
            <Button size="small" onClick={() => goFork(fork, screen)}>
              {chain} at {fork.endpoint.host}
            </Button>
            <p className="note">{what}</p>
          </li>
        ))}
      </ul>
      <p className="note">
        Public endpoints run by third parties; they see your IP address and what you look at, and limit how much they
        answer. Nothing is sent there before you press its button.
      </p>
    </section>
  )
}

/** Which chain and block the page's own chain continues, and whether that is proven, in a few words. */
function useForkInWords(): string {
  const host = othersText(useSession().fork?.endpoint.host ?? '')
  const fork = useStatus((status) => status.fork)
  if (!fork) return `Fork of the chain at ${host}, which does not run`
  const trust = fork.isProven ? 'its state proven' : 'its state not proven'
  return `Fork of chain ${Number(fork.chainId)} after block ${formatInteger(Number(fork.number))} at ${host}, ${trust}`
}
