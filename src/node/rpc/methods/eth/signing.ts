import { utf8Bytes } from '#primitives/utf8.ts'
import type { RpcTypedData } from '#rpc-types/methods/eth.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import type { NodeContext } from '../../context.ts'
import { defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { address, data } from '../../params/hex-params.ts'
import { requireSigner, signAs } from '../../sending/signer.ts'
import { typedData } from './typed-data-params.ts'

/** Signatures of messages and typed data. */
export const ETH_SIGNING_METHODS = {
  /** Signs bytes as a personal message (EIP-191). */
  eth_sign: defineMethod([address, data], (context, account, bytes) => signAs(context, account, personalDigest(bytes))),

  /** Signs typed data of EIP-712. */
  eth_signTypedData_v4: defineMethod([address, typedData], async (context, account, typed) => {
    // Checked before hashing, so that nobody can cause work for an account that the node does not have.
    requireSigner(context, account)
    checkDomain(context, typed)
    // Loaded with the first one: few are ever signed.
    const { typedDataDigest } = await import('./typed-data-digest.ts')
    return signAs(context, account, typedDataDigest(typed))
  }),
} satisfies Partial<MethodTable>

/**
 * With a person's own mnemonic, a signature for another chain, such as a permit, could move real money.
 *
 * @throws {RpcRefusedError} `server`, if the domain names another chain id than this chain's, or 0.
 */
function checkDomain({ spec }: Pick<NodeContext, 'spec'>, { domain }: Required<RpcTypedData>): void {
  const { chainId } = domain as { readonly chainId?: unknown }
  if (spec.allowForeignTypedData || chainId === undefined || chainId === null) return
  // 0 stands for any chain.
  if (isChainId(chainId) && (BigInt(chainId) === BigInt(spec.chainId) || BigInt(chainId) === 0n)) return
  const named = JSON.stringify(chainId)?.slice(0, 80)
  throw new RpcRefusedError(
    'server',
    `typed data is for the chain id ${named}, this chain is ${spec.chainId}: start the node with --allow-foreign-typed-data to sign it`,
  )
}

/** A whole number: JSON number, decimal text or hex text. */
function isChainId(value: unknown): value is number | string {
  return Number.isSafeInteger(value) || (typeof value === 'string' && /^(?:0x[0-9a-f]{1,64}|\d{1,78})$/i.test(value))
}

/**
 * The digest of a personal message.
 *
 * @see {@link https://eips.ethereum.org/EIPS/eip-191 | EIP-191}
 */
export function personalDigest(bytes: Uint8Array): Uint8Array {
  return keccak256(utf8Bytes(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes)
}
