import { ForkError } from '#node/fork/fork-error.ts'
import { type Call, failureText, INVALID_CALL, type ParsedCall, readBody, successText } from '#node/rpc/body.ts'
import { MAX_JSON_LEVELS } from '#primitives/json-text.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { type RunningServer, type ServerOptions, startServer } from '#server/http/start-server.ts'
import type { Recorder } from './recorder.ts'

/** Calls in a batch. */
const MAX_CALLS = 1_000

/** A recording as the endpoint of forks in other processes, on this machine. It only reads. */
export function serveRecorder(recorder: Pick<Recorder, 'ask'>, log: ServerOptions['log']): Promise<RunningServer> {
  const endpoint: RpcEndpoint = {
    connect: () => ({ handle: (body) => answerBody(recorder, body), close() {} }),
  }
  return startServer(endpoint, { host: '127.0.0.1', port: 0, cors: false, onlyDirect: true, log })
}

async function answerBody(recorder: Pick<Recorder, 'ask'>, body: string): Promise<string | undefined> {
  const limits = { levels: MAX_JSON_LEVELS, calls: MAX_CALLS, tooMany: `a batch has at most ${MAX_CALLS} calls` }
  const read = readBody(body, limits)
  if ('error' in read) return failureText('null', read.error)
  if ('call' in read) return answerCall(recorder, read.call)
  const answers = await Promise.all(read.batch.map((call) => answerCall(recorder, call)))
  return `[${answers.filter((answer) => answer !== undefined).join(',')}]`
}

async function answerCall(recorder: Pick<Recorder, 'ask'>, call: ParsedCall): Promise<string | undefined> {
  if (call.method === undefined) return failureText(call.id, INVALID_CALL)
  const { id = 'null', method, params }: Call = call
  try {
    const result = await recorder.ask(method, Array.isArray(params) ? (params as unknown[]) : [])
    return call.id === undefined ? undefined : successText(id, JSON.stringify(result))
  } catch (error) {
    if (!(error instanceof ForkError)) return failureText(id, { code: ERROR_CODES.internal, message: String(error) })
    const { code, message, data } = error.answered ?? {
      code: ERROR_CODES.server,
      message: error.message,
      data: undefined,
    }
    return failureText(id, { code, message, ...(data !== undefined && { data }) })
  }
}
