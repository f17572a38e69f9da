/** Makes something when it is first asked for, and keeps it. */
export function lazily<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
