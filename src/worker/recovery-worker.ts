import { answerRecovery, READY } from '#node/crypto/recovery-helpers.ts'

// The dedicated module worker that recovers senders for the node's worker, when many transactions come in at a time.
self.onmessage = ({ data }: MessageEvent<Uint8Array>) => self.postMessage(answerRecovery(data))
self.postMessage(READY)
