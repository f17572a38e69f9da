import type { Build } from '#solidity/build/build.ts'
import type { CodeIndex, RecognisedCode } from '#solidity/code/code-index.ts'

/** Most characters of standard JSON that are kept of all builds together, and most builds. */
const MAX_CHARACTERS = 128 << 20
const MAX_BUILDS = 200

/** Standard JSON as it went into the compiler, and as it came out. */
export interface BuildJson {
  readonly input: object
  readonly output: object
}

/** A compilation, with the standard JSON that it was read from. */
export interface KnownBuild {
  readonly build: Build
  /** Characters that it takes here besides. */
  readonly characters: number
  /** The standard JSON, or what `writeStandardJson` makes of artifacts without one, such as Foundry's. */
  readonly json: () => Promise<BuildJson>
}

/**
 * The compilations that a node knows: those that callers gave, and those that its host finds. Nothing is done with them
 * until something fails or somebody asks.
 */
export class BuildsOfNode {
  #given: readonly KnownBuild[] = []
  #found: readonly KnownBuild[] = []
  #index: Promise<CodeIndex> | undefined

  get isEmpty(): boolean {
    return this.#given.length + this.#found.length === 0
  }

  /** Adds a build of a caller; one with the same id is replaced, and the oldest go where there is no room. */
  give(known: KnownBuild): void {
    this.#given = fitting([...this.#given.filter(({ build }) => build.id !== known.build.id), known])
    this.#index = undefined
  }

  /** Replaces the builds of the host; where there is no room, the first ones are left out. @returns Those that are kept. */
  setFound(found: readonly KnownBuild[]): readonly KnownBuild[] {
    this.#found = fitting(found)
    this.#index = undefined
    return this.#found
  }

  /** Finds contracts by their code. Builds of callers come first. */
  index(): Promise<CodeIndex> {
    this.#index ??= import('#solidity/code/code-index.ts').then(({ createCodeIndex }) =>
      createCodeIndex([...this.#found, ...this.#given].map(({ build }) => build)),
    )
    return this.#index
  }

  /** The standard JSON of a build that {@link index} found. */
  async jsonOf({ build }: RecognisedCode): Promise<BuildJson | undefined> {
    return [...this.#given, ...this.#found].find((known) => known.build === build)?.json()
  }
}

/** The last ones that fit. */
function fitting(builds: readonly KnownBuild[]): readonly KnownBuild[] {
  let characters = 0
  let from = builds.length
  while (from > 0 && builds.length - from < MAX_BUILDS) {
    characters += builds[from - 1]?.characters ?? 0
    if (characters > MAX_CHARACTERS) break
    from--
  }
  return builds.slice(from)
}
