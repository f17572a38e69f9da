import type { CallLog, CallSource } from './call-log.ts'
import type { BlinknetProvider } from './provider.ts'

/** The same provider, whose calls are written down as those of `source`. */
export function tapProvider(provider: BlinknetProvider, source: CallSource, log: CallLog): BlinknetProvider {
  const request = async (args: { readonly method: string; readonly params?: readonly unknown[] | object }) => {
    const end = log.begin(source, args.method, args.params ?? [])
    try {
      const result = await provider.request(args)
      end({ result })
      return result
    } catch (error) {
      end({ error })
      throw error
    }
  }
  const tapped: BlinknetProvider = {
    request: request as BlinknetProvider['request'],
    on(event, listener) {
      provider.on(event, listener)
      return tapped
    },
    removeListener(event, listener) {
      provider.removeListener(event, listener)
      return tapped
    },
  }
  return tapped
}
