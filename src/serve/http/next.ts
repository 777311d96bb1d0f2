/** Finds the next page of an answer, for the header Link and, if the contract allows it, for `next_cursor`. */
import { addressOf } from '../../declare/examples.ts'
import { inOrder, only } from '../../declare/fields.ts'
import { goesOn, JsonText, type List, Made, type Next, type Route } from '../../declare/route.ts'
import type { Input } from '../files/pages.ts'
import type { Row } from '../files/writer.ts'
import type { Answer } from './answer.ts'

interface Page {
  /** The answer in the form in which it is sent. */
  answer: unknown
  /** Null on the last page. */
  next: Next | null
}

/** Returns the answer with the chosen fields of each row, or with all fields in the declared order. */
export function cutTo(list: List, answer: unknown, chosen: readonly string[] | null): unknown {
  const names = Object.keys(list.row.shape)
  const cut = (rows: readonly Row[]) => rows.map((row) => (chosen ? only(row, chosen) : inOrder(row, names)))
  const { member } = list
  if (member === null) return cut(answer as Row[])
  const whole = answer as Readonly<Record<string, readonly Row[] | null | undefined>>
  return whole[member] ? { ...whole, [member]: cut(whole[member]) } : answer
}

/** Makes the page from an answer of `run`. */
export function pageOf(route: Route, input: Input, answer: unknown): Page {
  if (!goesOn(route) || !isObject(answer)) return { answer, next: null }
  if (route.next) return { answer, next: route.next(input as never, answer as never) }
  const { next_cursor: cursor, ...others } = answer
  const held = heldBack(route, input)
  const next = typeof cursor === 'string' ? { ...(held && { paginate: 'cursor' }), cursor } : null
  if (held === 'none') return { answer: others, next }
  return { answer: held === 'null' ? { ...answer, next_cursor: null } : answer, next }
}

/**
 * Converts the result of `run` to the form that a client gets by parsing the JSON, for requests within this process.
 *
 * @param chosen the fields that the rows of a list shall have; null for all
 */
export function asClient(route: Route, found: unknown, input: Input, chosen: readonly string[] | null): Page {
  const text =
    found instanceof Made ? found.body.toString() : found instanceof JsonText ? found.text : JSON.stringify(found)
  const whole = JSON.parse(text)
  // JSON text from the database already has its members in order.
  const isCut = route.list !== null && (chosen !== null || !(found instanceof JsonText))
  return pageOf(route, input, isCut ? cutTo(route.list!, whole, chosen) : whole)
}

/** Parses an answer in the same way as a client does, for requests within this process. */
export function readAnswer(route: Route, input: Input, answer: Answer): Page {
  const page = pageOf(route, input, JSON.parse(answer.body.toString()))
  // If an answer does not contain its cursor, only `next` of the answer leads to the next page.
  return answer.next ? { ...page, next: answer.next } : page
}

/** The parameters that lead from an answer of `run` to the next page; null on the last page. */
export const nextOf = (route: Route, input: Input, answer: unknown): Next | null =>
  pageOf(route, input, answer instanceof JsonText ? JSON.parse(answer.text) : answer).next

const isObject = (answer: unknown): answer is Readonly<Record<string, unknown>> =>
  typeof answer === 'object' && answer !== null && Object.getPrototypeOf(answer) === Object.prototype

function heldBack({ unrequested }: Route, input: Input): 'none' | 'null' | undefined {
  if (unrequested === undefined || input.paginate !== undefined || input.cursor !== undefined) return undefined
  return typeof unrequested === 'function' ? unrequested(input) : unrequested
}

/** The address of the next page, relative to the server. It keeps all other parameters of the request. */
export function nextAddress(route: Route, { url, params }: { url: string; params: unknown }, next: Next): string {
  const mark = url.indexOf('?')
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
  // The cursor determines where the page begins, so the offset is left out.
  if ('cursor' in next) query.delete('offset')
  for (const [name, value] of Object.entries(next)) query.set(name, String(value))
  return `/v1${addressOf(route, params as Record<string, string>)}?${query}`
}

/** The header Link to the next page. */
export const linkOf = (route: Route, request: { url: string; params: unknown }, next: Next): string =>
  `<${nextAddress(route, request, next)}>; rel="next"`
