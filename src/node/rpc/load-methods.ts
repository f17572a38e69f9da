import type { MethodName } from '#rpc-types/methods.ts'
import type { Method, MethodTable } from './define-method.ts'
import type { WorkKind } from './work-queues.ts'

/**
 * Methods whose code is loaded with the first call of one of them: few callers ever need it.
 *
 * @param kinds - Their names, each with the queue in which its calls wait.
 */
export function loadMethods<Name extends MethodName>(
  kinds: Readonly<Record<Name, WorkKind | undefined>>,
  load: () => Promise<Pick<MethodTable, Name>>,
): Pick<MethodTable, Name> {
  const names = Object.keys(kinds) as Name[]
  const methods = names.map((name): [Name, Method] => {
    const queue = kinds[name]
    const run: Method['run'] = async (context, params) => (await load())[name].run(context, params)
    return [name, { ...(queue && { queue }), run }]
  })
  return Object.fromEntries(methods) as Pick<MethodTable, Name>
}
