import { useEffect, useState } from 'react'
import type { Address as AddressHex } from '#primitives/hex.ts'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Button } from '#ui/components/Button.tsx'
import { FailureNote } from '#ui/components/ErrorNote.tsx'
import { Explained } from '#ui/components/Explained.tsx'
import { SelectField } from '#ui/components/form/SelectField.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { Term } from '#ui/components/Term.tsx'
import { type Keeping, useKeeping } from '#ui/decode/keep-contracts.ts'
import { forgetContract, useAwaitedContracts, useKnownContracts } from '#ui/decode/known-contracts.ts'
import { shortHex } from '#ui/format/hex.ts'
import { useProvider } from '#ui/page/session.ts'
import { useWatch } from '#ui/queries/standings.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { AtAddressForm } from './AtAddressForm.tsx'
import { openArtifacts } from './artifacts/artifacts-dialog.ts'
import { findArtifacts } from './artifacts/find-artifacts.ts'
import { ContractView } from './call/ContractView.tsx'
import { AboutDeploying } from './deploy/DeployPanel.tsx'
import { selectContract, useShown } from './deploy/deploy.ts'
import { settleAwaited } from './deploy/settle-awaited.ts'
import { useFileDrop } from './files/use-file-drop.ts'
import styles from './UsePanel.module.css'

const css = classNames(styles)

const NOT_KEPT: Readonly<Record<Exclude<Keeping, 'kept'>, string>> = {
  'chain ends': 'This chain ends when the page is closed, and so does this list.',
  'no storage':
    'This browser does not let the page save data, or has no space left, so this list is lost when you close the page.',
  'unknown chain': 'The page cannot tell which chain this endpoint has, so it does not save this list.',
  'no script': 'A part of the page could not be loaded, so it does not save this list.',
}

/**
 * The known contracts, and the selected one.
 *
 * @param explains - Whether explanations are open.
 */
export function UsePanel({ explains }: { explains: boolean }) {
  const contracts = useKnownContracts()
  const chosen = useShown((shown) => shown.selected)
  const isAwaiting = useAwaitedContracts((awaited) => awaited.size > 0)
  const keeping = useKeeping((state) => state.keeping)
  const [adding, setAdding] = useState(false)
  const drop = useFileDrop((dropped) => openArtifacts(() => findArtifacts(dropped)))
  const addresses = [...contracts.keys()].toReversed()
  const selected = chosen && contracts.has(chosen) ? chosen : addresses[0]
  const contract = selected && contracts.get(selected)
  const found = useContracts()
  const here = selected && found.get(selected)
  useWatch(selected)
  const about = (
    <Explained open={explains} title="About reading and writing">
      Reading a contract is free and changes nothing. Writing sends a transaction, which costs <Term of="gas">gas</Term>{' '}
      and can change the contract’s state. {keeping !== 'kept' && NOT_KEPT[keeping]}
    </Explained>
  )
  return (
    <Panel title="Use">
      {/* Add artifacts… is the way for the keyboard. */}
      <div className={css('body', drop.isOver && 'over')} {...drop.handlers}>
        {explains && about}
        <div className={css('choice')}>
          {selected && (
            <Choice
              addresses={addresses}
              selected={selected}
              nameOf={(address) => found.get(address)?.name ?? 'another contract'}
            />
          )}
          <Button size="small" aria-expanded={adding} onClick={() => setAdding(!adding)}>
            At address…
          </Button>
          <Button size="small" onClick={() => openArtifacts()}>
            Add artifacts…
          </Button>
          {selected && (
            <Button size="small" onClick={() => forgetContract(selected)}>
              Forget
            </Button>
          )}
        </div>
        <AwaitedContracts />
        {adding && <AtAddressForm onDone={() => setAdding(false)} />}
        {selected && contract && here !== contract && (
          <FailureNote
            what={`Another contract stands at this address than ${contract.name}.`}
            why="Its code has changed since the page came to know it: something replaced it, or took the chain back and deployed anew. Press Forget, or give this one’s ABI: “At address…”."
          />
        )}
        {selected && contract
          ? here && <ContractView key={selected} address={selected} contract={here} />
          : !adding &&
            !isAwaiting && <p className="empty">No contracts yet. Deploy one above, or add one by its address.</p>}
        {!explains && (
          <div className={css('about')}>
            {about}
            {/* Here, so that what is used begins higher. */}
            <AboutDeploying open={false} />
          </div>
        )}
      </div>
    </Panel>
  )
}

function Choice({
  addresses,
  selected,
  nameOf,
}: {
  addresses: readonly AddressHex[]
  selected: AddressHex
  nameOf: (address: AddressHex) => string
}) {
  return (
    <SelectField label="Deployed contracts" value={selected} onChange={(value) => selectContract(value as AddressHex)}>
      {addresses.map((address) => (
        <option key={address} value={address}>
          {nameOf(address)} · {shortHex(address)}
        </option>
      ))}
    </SelectField>
  )
}

/** Deployments that no block includes yet, sent in this visit or before. */
function AwaitedContracts() {
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
