import { concatHex, hashMessage, hashTypedData } from 'viem'
import { type BlinknetProvider, extendProvider, ProviderRpcError } from '#client/session/provider.ts'
import { APPROVALS } from '#client/wallet/approvals.derived.ts'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'

/**
 * Who signs for a contract's account, whose `isValidSignature` decides (ERC-1271). Contracts take signatures in forms of
 * their own: these two are common.
 */
export type ContractSigning =
  | {
      /** This account signs in its place, the same message: for contracts that take their owner's signature as it is. */
      readonly signAs: Address
      readonly safeOwners?: undefined
    }
  | {
      /** As many owners of a Safe (1.3.0 or later) as it asks for: each signs the message as the Safe's own. */
      readonly safeOwners: readonly Address[]
      readonly signAs?: undefined
    }

/** A contract's account, and who signs for it. */
export interface SigningContract {
  readonly address: Address
  readonly signers: readonly Address[]
  readonly isSafe: boolean
}

const ADDRESS = /^0x[\da-f]{40}$/i
/** More owners than any Safe asks for. */
const MAX_OWNERS = 100

/** @throws {TypeError} If it does not say who signs. */
export function signingContract(address: Address, { signAs, safeOwners }: ContractSigning): SigningContract {
  const given: unknown = signAs === undefined ? safeOwners : [signAs]
  const signers = Array.isArray(given) ? given.map(String) : []
  const isOne = signAs === undefined || safeOwners === undefined
  if (!isOne || signers.length === 0 || signers.length > MAX_OWNERS || !signers.every((each) => ADDRESS.test(each))) {
    throw new TypeError('wallet.use takes signAs, an address, or safeOwners, a list of up to 100 addresses')
  }
  return {
    address,
    // A Safe wants the signatures in the order of the addresses.
    signers: [...new Set(signers.map((each) => each.toLowerCase() as Address))].toSorted(),
    isSafe: safeOwners !== undefined,
  }
}

/** A chain that signs for a contract's account by those who own it. */
export function withContractSigning(
  provider: BlinknetProvider,
  present: () => SigningContract | undefined,
): BlinknetProvider {
  async function request({ method, params }: { readonly method: string; readonly params?: unknown }): Promise<unknown> {
    const contract = present()
    const given = Array.isArray(params) ? (params as readonly unknown[]) : []
    const approval = contract && Object.hasOwn(APPROVALS, method) ? APPROVALS[method] : undefined
    const place = approval?.asks === 'message' ? approval.account : approval?.asks === 'typed-data' ? 0 : undefined
    const isFor = place !== undefined && String(given[place]).toLowerCase() === contract?.address
    // A mistake among the parameters is explained best by the node.
    if (!contract || !isFor || !approval) return provider.request({ method, params: params as readonly unknown[] })
    if (!contract.isSafe) {
      return provider.request({ method, params: given.with(place, contract.signers[0]) })
    }
    const message = approval.asks === 'message' ? given[approval.message] : given[1]
    const hash = approval.asks === 'message' ? hashOfMessage(message) : hashOfTypedData(message)
    return signAsSafe(provider, contract, hash)
  }
  return extendProvider<BlinknetProvider>(provider, { request: request as BlinknetProvider['request'] })
}

function hashOfMessage(message: unknown): Hash {
  const text = String(message)
  return hashMessage(/^0x([\da-f]{2})*$/i.test(text) ? { raw: text as Hex } : text)
}

/** @throws {ProviderRpcError} If it is no typed data. */
function hashOfTypedData(typedData: unknown): Hash {
  try {
    return hashTypedData((typeof typedData === 'string' ? JSON.parse(typedData) : typedData) as never)
  } catch (error) {
    throw new ProviderRpcError(ERROR_CODES['invalid-params'], `invalid typed data: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

async function signAsSafe(provider: BlinknetProvider, { address, signers }: SigningContract, hash: Hash): Promise<Hex> {
  const chainId = Number(await provider.request({ method: 'eth_chainId' }))
  const typedData = {
    domain: { chainId, verifyingContract: address },
    primaryType: 'SafeMessage',
    types: {
      EIP712Domain: [
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      SafeMessage: [{ name: 'message', type: 'bytes' }],
    },
    message: { message: hash },
  }
  const signatures: Hex[] = []
  for (const signer of signers) {
    signatures.push(await provider.request({ method: 'eth_signTypedData_v4', params: [signer, typedData] }))
  }
  return concatHex(signatures)
}
