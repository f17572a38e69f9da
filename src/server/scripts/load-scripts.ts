import type { ScriptTracers } from '#node/rpc/tracers/script-tracers.ts'

/** Loads what runs tracers in JavaScript, with the first that is asked for. */
export async function loadScripts(): Promise<ScriptTracers> {
  const [{ loadSandboxes }, { scriptTracers }] = await Promise.all([
    import('./sandboxes.ts'),
    import('./script-tracer.ts'),
  ])
  return scriptTracers(await loadSandboxes())
}
