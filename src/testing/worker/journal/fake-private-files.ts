/** A file as `createSyncAccessHandle` opens it: for one worker at a time. */
interface FakeFile {
  bytes: Uint8Array
  isOpen: boolean
}

/** The private files of an origin, as browsers have them, without their folders' hierarchy. */
export class FakePrivateFiles {
  readonly #files = new Map<string, FakeFile>()
  readonly #locks = new Map<string, Promise<unknown>>()
  /** Bytes that a file may have. */
  roomBytes = Number.POSITIVE_INFINITY

  get names(): readonly string[] {
    return [...this.#files.keys()]
  }

  /** What a worker that was killed leaves: its file is there, and nobody has it open. */
  kill(): void {
    for (const file of this.#files.values()) file.isOpen = false
  }

  /** Replaces `navigator`, and what a file handle is, for this process. */
  install(): void {
    const folder = { getDirectoryHandle: async () => this.#folder() }
    const navigator = {
      storage: { getDirectory: async () => folder },
      locks: { request: (name: string, task: () => Promise<unknown>) => this.#request(name, task) },
    }
    Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true })
    Object.defineProperty(globalThis, 'FileSystemFileHandle', {
      value: { prototype: { createSyncAccessHandle: true } },
      configurable: true,
    })
  }

  #request(name: string, task: () => Promise<unknown>): Promise<unknown> {
    const done = (this.#locks.get(name) ?? Promise.resolve()).then(task)
    this.#locks.set(name, Promise.allSettled([done]))
    return done
  }

  #folder() {
    const files = this.#files
    return {
      async *keys() {
        yield* files.keys()
      },
      async removeEntry(name: string) {
        if (files.get(name)?.isOpen) throw new DOMException('it is open', 'NoModificationAllowedError')
        files.delete(name)
      },
      getFileHandle: async (name: string) => {
        const file = files.get(name) ?? { bytes: new Uint8Array(), isOpen: false }
        files.set(name, file)
        return { createSyncAccessHandle: async () => this.#open(file) }
      },
    }
  }

  #open(file: FakeFile) {
    if (file.isOpen) throw new DOMException('it is open', 'NoModificationAllowedError')
    file.isOpen = true
    const requireOpen = () => {
      if (!file.isOpen) throw new DOMException('it is closed', 'InvalidStateError')
    }
    return {
      read: (into: Uint8Array, { at }: { readonly at: number }) => {
        requireOpen()
        const part = file.bytes.subarray(at, at + into.length)
        into.set(part)
        return part.length
      },
      write: (bytes: Uint8Array, { at }: { readonly at: number }) => {
        requireOpen()
        if (at + bytes.length > this.roomBytes) throw new DOMException('no room', 'QuotaExceededError')
        const grown = new Uint8Array(Math.max(file.bytes.length, at + bytes.length))
        grown.set(file.bytes)
        grown.set(bytes, at)
        file.bytes = grown
        return bytes.length
      },
      truncate: (length: number) => {
        requireOpen()
        file.bytes = file.bytes.slice(0, length)
      },
      close: () => {
        file.isOpen = false
      },
    }
  }
}
