import { READY, recoveryAnswers } from '#node/crypto/recovery-helpers.ts'

// The dedicated module worker that recovers senders for the node's worker when many transactions arrive at once.
const answer = recoveryAnswers()
self.onmessage = ({ data }: MessageEvent<Uint8Array>) => self.postMessage(answer(data))
self.postMessage(READY)
