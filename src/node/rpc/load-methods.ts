import type { MethodName } from '#rpc-types/methods.ts'
import type { Method, MethodOptions, MethodTable } from './define-method.ts'

/**
 * Methods whose code is loaded with the first call of one of them: few callers ever need it.
 *
 * @param options - Of each by its name; those in the code that is loaded come too late.
 */
export function loadMethods<Name extends MethodName>(
  options: Readonly<Record<Name, MethodOptions>>,
  load: () => Promise<Pick<MethodTable, Name>>,
): Pick<MethodTable, Name> {
  const names = Object.keys(options) as Name[]
  const methods = names.map((name): [Name, Method] => [
    name,
    { ...options[name], run: async (context, params) => (await load())[name].run(context, params) },
  ])
  return Object.fromEntries(methods) as Pick<MethodTable, Name>
}
