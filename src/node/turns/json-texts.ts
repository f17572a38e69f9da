const TEXTS = new WeakMap<readonly unknown[], readonly string[]>()

/**
 * Stands for a list whose items are JSON already, for `jsonInSlices` and `JSON.stringify`: a trace's steps as objects would
 * take many times their memory and time. It has no items itself.
 *
 * @param texts - The JSON of one or more items each, with commas between them.
 */
export function listOfTexts(texts: readonly string[]): readonly never[] {
  const list: never[] = []
  Object.defineProperty(list, 'toJSON', { value: (): unknown => JSON.parse(`[${texts.join()}]`) })
  TEXTS.set(list, texts)
  return list
}

/** The texts of a list of {@link listOfTexts}; `undefined` of any other. */
export function textsOf(list: readonly unknown[]): readonly string[] | undefined {
  return TEXTS.get(list)
}
