/** The TypeScript client, imported from its source, with methods by operation name. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type ClientOptions, type Clock, OpenFilings } from '../../../clients/typescript/src/index.ts'
import { checkout } from '../world.ts'

/** Rows of `clients/names.tsv`. */
export const names = readFileSync(path.join(checkout, 'clients/names.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [operation, group, method, rows] = line.split('\t') as [string, string, string, string]
    return { operation, group: camel(group), method: camel(method), rows }
  })

export function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * A method for an operation: it takes the path parameters in their order, a query if the operation has one, and
 * options.
 */
export type Method = (...args: unknown[]) => unknown

/** Returns the method of an operation; undefined if the client has none. */
export function methodOf(client: OpenFilings, operation: string): Method | undefined {
  const name = names.find((each) => each.operation === operation)
  if (!name) return undefined
  // In the type of a client each group is a member with its own name; here the name of the group comes from the table.
  const group = (client as unknown as Record<string, Record<string, Method>>)[name.group]
  return group?.[name.method]?.bind(group)
}

/** A clock that waits for nothing and notes each wait. Its time moves only by waiting. */
export function steppedClock(): Clock & { waits: number[] } {
  let now = Date.parse('2026-01-02T03:04:05Z')
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    random: () => 0,
    wait: async (ms, signal) => {
      signal?.throwIfAborted()
      waits.push(ms)
      now += ms
      // Lets other work run, as a real wait does.
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

/** A client for an origin, with a clock that waits for nothing, so that tests of waits are short. */
export const clientOf = (origin: string, options: Partial<ClientOptions> = {}): OpenFilings =>
  new OpenFilings({ apiKey: 'of_test', baseUrl: origin, clock: steppedClock(), ...options })
