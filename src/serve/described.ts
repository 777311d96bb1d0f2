/** The OpenAPI document of a service, made when it is first asked for: a start need not wait for it (0.15 s of the processor). */
export interface Described {
  /** Version of the service. */
  version: string
  /** The document. Requests during its making share one. */
  openapi(): Promise<object>
}

/** @param make is called once, and again only where it failed */
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
