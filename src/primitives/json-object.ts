/** A JSON object by its members. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The value of a text in JSON; `undefined` if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON, or nested too deeply for this engine.
    return undefined
  }
}

/** Whether a value of JSON is an object, not a list or `null`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
