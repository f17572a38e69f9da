import { parentPort } from 'node:worker_threads'
import { READY, recoveryAnswers } from '#node/crypto/recovery-helpers.ts'

// The thread that recovers senders for the node's thread when many transactions arrive at once.
const answer = recoveryAnswers()
parentPort?.on('message', (message: Uint8Array) => parentPort?.postMessage(answer(message)))
parentPort?.postMessage(READY)
