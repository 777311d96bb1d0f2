/**
 * The OpenAPI document of a service. It is made when it is first requested, so that a start need not wait for it (0.15
 * s of processor time).
 */
export interface Described {
  /** Version of the service. */
  version: string
  /** The document. Requests that come while it is being made share the result. */
  openapi(): Promise<object>
}

/** @param make is called once, and again only if it failed */
export function described(version: string, make: () => object | Promise<object>): Described {
  let made: Promise<object> | undefined
  return {
    version,
    openapi() {
      made ??= Promise.resolve()
        .then(make)
        .catch((error) => {
          made = undefined
          throw error
        })
      return made
    },
  }
}
