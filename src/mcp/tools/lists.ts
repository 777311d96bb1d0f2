/** Tools that request one route: their arguments are the parameters of that route. */
import type { Route } from '../../declare/route.ts'
import { answered, sizeOf } from '../frame.ts'
import { addressFor, parametersOf, type Routes } from '../routes.ts'
import { type Args, asValues, maxBytes, type Tool } from '../tool.ts'

interface Named {
  name: string
  title: string
  description: string
  /** Name of the route. */
  route: string
  /** Parameters of the route that the tool does not take. */
  without?: readonly string[]
  meanings?: Tool['meanings']
  /** Remarks on the answer to these arguments, which prevent misunderstandings. */
  remarks?: (answer: Readonly<Record<string, unknown>>, args: Args) => readonly string[]
}

/** Makes a tool that has the parameters of a route. */
export function listTool(
  { name, title, description, route: of, without = [], meanings = {}, remarks = () => [] }: Named,
  routes: Routes,
): Tool {
  const route = routes.named(of)
  return {
    ...{ name, title, description },
    parameters: { ...brief(parametersOf(route, without)), max_bytes: maxBytes },
    required: requiredOf(route),
    meanings,
    run: (args, call) => {
      const { max_bytes: _, ...own } = args
      const about = { of: (answer: Readonly<Record<string, unknown>>) => remarks(answer, own), by: name }
      return answered({ address: addressFor(route, asValues(own)), ...sizeOf(args), remarks: about }, routes, call)
    },
  }
}

/** Names of the parameters that a route requires, apart from path parameters. */
export const requiredOf = (route: Route): string[] =>
  Object.entries(route.input.shape)
    .filter(([name, type]) => !route.path.includes(`{${name}}`) && !type.safeParse(undefined).success)
    .map(([name]) => name)

/** Maximum length of the description of an argument; the tool `describe` shows the whole description. */
const DESCRIPTION_MAX = 220

/** Parameters with shortened descriptions, so that the descriptions of all tools together stay small. */
export function brief<T extends Record<string, unknown>>(parameters: Readonly<Record<string, T>>): Record<string, T> {
  const entries = Object.entries(parameters).map(([name, { description, default: _, ...schema }]) => {
    const short = typeof description === 'string' ? firstOf(description) : undefined
    // A tool need not show the pattern and the lengths, since the reference documents them. If a value does not match
    // them, the refusal gives the reason.
    const {
      pattern: _p,
      maxLength: _l,
      minLength: _m,
      'x-entity': _e,
      title: _t,
      ...rest
    } = schema as Record<string, unknown>
    return [name, { ...rest, ...(short === undefined ? {} : { description: short }) } as unknown as T] as const
  })
  return Object.fromEntries(entries)
}

/** The part of a description about several values in an address. Tools do not need it: they take an array. */
const SEVERAL = /; for several values, separate them by commas .*$/

/**
 * Returns the description if it is short, else its first sentence. A short description stays whole, since the first
 * sentence of `f13: managers. nport: funds` would explain only one value.
 */
function firstOf(description: string): string {
  const whole = description.replace(SEVERAL, '')
  if (whole.length <= DESCRIPTION_MAX) return whole
  const [sentence] = whole.split(/(?<=[a-z)])[.;] /)
  return sentence!.length <= DESCRIPTION_MAX ? sentence! : `${sentence!.slice(0, DESCRIPTION_MAX - 1).trimEnd()}…`
}
