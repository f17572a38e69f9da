import { signTransaction } from '#node/tx/sign.ts'
import { bytesToHex, type Hex, hexToBytes } from '#primitives/hex.ts'
import { errorText } from '#transport/port/messages.ts'
import type { FromSigner, SigningJob, ToSigner } from '#transport/signing-messages.ts'

// The dedicated module worker that signs many transactions, so that the page's thread stays free.
self.onmessage = ({ data: { id, jobs } }: MessageEvent<ToSigner>) => {
  try {
    tell({ kind: 'signed', id, raws: jobs.map(sign) })
  } catch (error) {
    tell({ kind: 'failed', id, message: errorText(error) })
  }
}
tell({ kind: 'ready' })

function sign({ from, privateKey, input, ...fields }: SigningJob): Hex {
  const tx = { type: 2 as const, ...fields, input: hexToBytes(input), accessList: [] }
  return bytesToHex(signTransaction(tx, from, hexToBytes(privateKey)).raw)
}

function tell(message: FromSigner): void {
  self.postMessage(message)
}
