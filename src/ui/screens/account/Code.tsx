import { useQuery } from '@tanstack/react-query'
import type { Address as AddressHex, Hex } from '#primitives/hex.ts'
import { Address } from '#ui/components/Address.tsx'
import { LongText } from '#ui/components/CodeBlock.tsx'
import { CopyTextButton } from '#ui/components/CopyButton.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { delegationOf } from '#ui/decode/disassemble.ts'
import { precompileName } from '#ui/decode/known-names.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { codeQuery } from '#ui/queries/accounts.ts'
import { useProvider } from '#ui/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Code.module.css'
import { Disassembly } from './Disassembly.tsx'
import { useVersion } from './use-version.ts'

const css = classNames(styles)

/** What runs when the account is called. */
export function Code({ address }: { address: AddressHex }) {
  const { data: code, error } = useQuery(codeQuery(useProvider(), address, useVersion()))
  if (error) return <ErrorNote error={error} />
  if (code === undefined) return <p className="empty">Loading the code…</p>
  if (code === '0x') {
    const precompile = precompileName(address)
    return (
      <p className="empty">
        {precompile
          ? `No code: ${precompile} is part of every client of Ethereum.`
          : 'No code: this account belongs to whoever has its key. A call of it only moves ETH.'}
      </p>
    )
  }
  const delegate = delegationOf(code)
  return delegate ? <Delegation delegate={delegate} code={code} /> : <Bytecode code={code} />
}

/** EIP-7702. */
function Delegation({ delegate, code }: { delegate: AddressHex; code: Hex }) {
  return (
    <>
      <p className={css('delegation')}>
        <span>This account has borrowed the code of</span>
        <Address address={delegate} full />
      </p>
      <p className="muted">
        It was set by a transaction of type 4 (EIP-7702). The key still signs for the account; whoever calls it runs the
        borrowed code on its own balance and storage.
      </p>
      <LongText label="Code of the account">{code}</LongText>
    </>
  )
}

function Bytecode({ code }: { code: Hex }) {
  return (
    <>
      <div className={css('head')}>
        <p className="muted">
          {formatCount(code.length / 2 - 1, 'byte')} of at most 24,576, read from the start. Data between the
          instructions, such as what a compiler appends, are read as if they were some.
        </p>
        <CopyTextButton value={code}>bytecode</CopyTextButton>
      </div>
      <Disassembly code={code} />
    </>
  )
}
