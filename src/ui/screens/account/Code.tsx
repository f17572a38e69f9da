import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address as AddressHex, Hex } from '#primitives/hex.ts'
import { Address } from '#ui/chain/Address.tsx'
import { InstructionList } from '#ui/chain/source/InstructionList.tsx'
import { LongText } from '#ui/components/CodeBlock.tsx'
import { CopyTextButton } from '#ui/components/CopyButton.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { delegationOf, disassemble } from '#ui/decode/disassemble.ts'
import { precompileName } from '#ui/decode/known-names.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useProvider } from '#ui/page/session.ts'
import { codeQuery } from '#ui/queries/accounts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Code.module.css'
import { useVersion } from './use-version.ts'

const css = classNames(styles)

/** Shows the account's code. */
export function Code({ address }: { address: AddressHex }) {
  const { data: code, error } = useQuery(codeQuery(useProvider(), address, useVersion()))
  if (error) return <ErrorNote error={error} />
  if (code === undefined) return <p className="empty">Loading the code…</p>
  if (code === '0x') {
    const precompile = precompileName(address)
    return (
      <p className="empty">
        {precompile
          ? `No code: ${precompile} is a precompiled contract, which every Ethereum client implements natively.`
          : 'No code: this account is controlled by its private key. Calling it only transfers ETH.'}
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
        <span>This account runs the code of</span>
        <Address address={delegate} full />
      </p>
      <p className="muted">
        A type 4 transaction set this delegation (EIP-7702). The account still signs with its own key. A call to it runs
        the other account’s code on this account’s balance and storage.
      </p>
      <LongText label="Code of the account">{code}</LongText>
    </>
  )
}

function Bytecode({ code }: { code: Hex }) {
  const instructions = useMemo(() => disassemble(code), [code])
  return (
    <>
      <div className="spread">
        <p className="muted">
          {formatCount(code.length / 2 - 1, 'byte')}, decoded from the start. Data in the code, such as the metadata
          that compilers append, is shown as instructions too.
        </p>
        <CopyTextButton value={code}>bytecode</CopyTextButton>
      </div>
      <InstructionList instructions={instructions} />
    </>
  )
}
