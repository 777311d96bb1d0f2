import type { Visitor } from './http/visitor.ts'

/**
 * The OpenAPI document of a service. It is made when it is first requested, so that a start need not wait for it (0.15
 * s of processor time).
 */
export interface Described {
  /** Version of the service. */
  version: string
  /**
   * Returns the document: the same object until its examples change. Requests that arrive while it is being made share
   * the result.
   *
   * @param visitor reads the data for examples
   */
  openapi(visitor: Visitor): Promise<object>
}

/**
 * @param make makes the document of a state, and gets the former document. It is called once for each state. If it
 * threw an error, it is called again
 * @param stateOf returns the state that the document's examples depend on. If only the part after the first comma
 * differs, no request waits: the former document is sent until the new one is made
 */
export function described<State extends string>(
  version: string,
  make: (state: State, visitor: Visitor, former: object | undefined) => object | Promise<object>,
  stateOf: (visitor: Visitor) => State = () => '' as State,
): Described {
  let made: { state: State; document: object } | undefined
  let making: { state: State; document: Promise<object> } | undefined
  const begin = (state: State, visitor: Visitor) => {
    const former = made?.document
    const document = Promise.resolve().then(() => make(state, visitor, former))
    const own = { state, document }
    making = own
    const end = () => {
      if (making === own) making = undefined
    }
    document.then((done) => {
      if (making === own) made = { state, document: done }
      end()
    }, end)
    return own
  }
  return {
    version,
    async openapi(visitor) {
      const state = stateOf(visitor)
      if (made?.state === state) return made.document
      const { document } = making?.state === state ? making : begin(state, visitor)
      return made && kindOf(made.state) === kindOf(state) ? made.document : document
    },
  }
}

const kindOf = (state: string) => state.split(',', 1)[0]

/** Makes a result from the document, and caches this result for that document. */
export function perDocument<T>(
  { openapi }: Described,
  visitor: Visitor,
  make: (document: object) => T,
): () => Promise<T> {
  const memo = new WeakMap<object, { of: T }>()
  return async () => {
    const document = await openapi(visitor)
    const found = memo.get(document) ?? { of: make(document) }
    memo.set(document, found)
    return found.of
  }
}
