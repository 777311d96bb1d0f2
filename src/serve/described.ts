/**
 * The OpenAPI document of a service. It is made when it is first requested, so that a start need not wait for it (0.15
 * s of processor time).
 */
export interface Described {
  /** Version of the service. */
  version: string
  /** The document: the same object until its examples change. Requests that come while it is being made share the result. */
  openapi(): Promise<object>
}

/**
 * @param make is called once for each state, and again if it failed
 * @param stateOf returns on what the document's examples depend; if it fails, the document stays as it is
 */
export function described<State extends string>(
  version: string,
  make: (state: State) => object | Promise<object>,
  stateOf: () => Promise<State> = async () => '' as State,
): Described {
  let made: { state: State; document: Promise<object> } | undefined
  return {
    version,
    async openapi() {
      const before = made
      const state = await stateOf().catch((error) => {
        if (before) return before.state
        throw error
      })
      if (made?.state !== state) {
        const document = Promise.resolve().then(() => make(state))
        const now = { state, document }
        made = now
        document.catch(() => {
          if (made === now) made = before
        })
      }
      return made.document
    },
  }
}

/** Makes something of the document once, and again when there is a new one. */
export function perDocument<T>({ openapi }: Described, make: (document: object) => T): () => Promise<T> {
  const kept = new WeakMap<object, { of: T }>()
  return async () => {
    const document = await openapi()
    const found = kept.get(document) ?? { of: make(document) }
    kept.set(document, found)
    return found.of
  }
}
