/** The requests of a guide, each with the members that the guide describes and the answer that it prints. */
import assert from 'node:assert/strict'

export interface GuideRequest {
  /** Path and query: `/v1/me` */
  address: string
  headers: Record<string, string>
  /** Rows of the table after the request: name and meaning. */
  members: readonly (readonly [string, string])[]
  /** Some members of the answer, as the guide prints them; undefined if the guide prints no answer. */
  printed: unknown
}

export const GUIDE_ORIGIN = 'http://127.0.0.1:8080'

/** Options of curl that do not change the request. */
const QUIET = ['-f', '-i', '-N']

/**
 * Reads every `curl` command of a guide, one per block of commands. A table or an answer refers to the last block of
 * commands before it in its section. A command that cannot be parsed is a fault.
 *
 * @param variables that a shell would replace
 */
export function requestsOf(markdown: string, variables: Readonly<Record<string, string>>): GuideRequest[] {
  const requests: GuideRequest[] = []
  for (const section of markdown.split(/^##/m)) {
    for (const [, commands, rest] of section.matchAll(/^```sh\n(.*?)^```$(.*?)(?=^```sh\n|(?![\s\S]))/gms)) {
      const lines = commands!.replaceAll(/\\\n\s*/g, '').split('\n')
      const [line, ...more] = lines.filter((each) => /\bcurl\b/.test(each))
      if (line === undefined) continue
      assert.deepEqual(more, [], 'a block has one request')
      requests.push({ ...requestOf(line, variables), members: membersOf(rest!), printed: printedOf(rest!) })
    }
  }
  return requests
}

function requestOf(line: string, variables: Readonly<Record<string, string>>) {
  const filled = (text: string) =>
    text.replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? assert.fail(`unknown variable ${name}`))
  const [curl, ...words] = Array.from(line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g), ([, literal, quoted, bare]) =>
    literal !== undefined ? literal : filled(quoted ?? bare!),
  )
  assert.equal(curl, 'curl')
  const headers: Record<string, string> = {}
  const addresses: string[] = []
  while (words.length > 0) {
    const word = words.shift()!
    if (word === '-H') {
      const [, name, value] = /^([\w-]+): (.+)$/.exec(words.shift()!)!
      headers[name!.toLowerCase()] = value!
    } else if (word === '-o') words.shift()
    else if (!QUIET.includes(word)) addresses.push(word)
  }
  const [address] = addresses
  assert.ok(addresses.length === 1 && address!.startsWith(`${GUIDE_ORIGIN}/`), `cannot be read: ${line}`)
  return { address: address!.slice(GUIDE_ORIGIN.length), headers }
}

const membersOf = (text: string): [string, string][] =>
  Array.from(text.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm), ([, name, meaning]) => [name!, meaning!])

function printedOf(text: string): unknown {
  const [, json] = /^```json\n(.*?)^```$/ms.exec(text) ?? []
  return json === undefined ? undefined : JSON.parse(json)
}

/** Returns the values of a member such as `rows[].officers[].name`, from all rows that have it. */
export function valuesAt(answer: unknown, member: string): unknown[] {
  let found = [answer]
  for (const name of member.split(/\.|(?=\[\])/)) {
    if (name === '') continue
    found = found.flatMap((value) => {
      if (name === '[]') return Array.isArray(value) ? value : []
      return typeof value === 'object' && value !== null && name in value
        ? [(value as Record<string, unknown>)[name]]
        : []
    })
  }
  return found
}

/** Requires that an answer contains all that the guide prints: each member, and the first items of each list. */
export function assertPart(answer: unknown, printed: unknown, at: string): void {
  if (typeof printed !== 'object' || printed === null) {
    assert.deepEqual(answer, printed, at)
    return
  }
  assert.ok(typeof answer === 'object' && answer !== null && Array.isArray(answer) === Array.isArray(printed), at)
  for (const [name, value] of Object.entries(printed))
    assertPart((answer as Record<string, unknown>)[name], value, `${at}.${name}`)
}
