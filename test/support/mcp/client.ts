/** The official MCP client, for tests. */
import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

type After = { after(fn: () => Promise<void>): void }

export interface AgentClient {
  client: Client
  /** Calls a tool. @returns its text and whether it is an error */
  call(name: string, args?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>
  /** Calls a tool that must succeed. @returns its text */
  answer(name: string, args?: Record<string, unknown>): Promise<string>
}

/**
 * Connects a client to `/mcp` of a service.
 *
 * @param pin the revision of the protocol that the client speaks; by default one in which the client first sends
 * `initialize`
 */
export async function connectAgent(t: After, origin: string, key: string, pin?: string): Promise<AgentClient> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    pin === undefined ? {} : { versionNegotiation: { mode: { pin } } },
  )
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } }))
  t.after(() => client.close())
  return agentOf(client)
}

export function agentOf(client: Client): AgentClient {
  const call: AgentClient['call'] = async (name, args = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args })
    const [first, ...more] = content as { type: string; text: string }[]
    assert.deepEqual([first?.type, more], ['text', []])
    return { text: first!.text, isError: isError === true }
  }
  return {
    client,
    call,
    async answer(name, args) {
      const { text, isError } = await call(name, args)
      assert.ok(!isError, `${name} ${JSON.stringify(args)}: ${text}`)
      return text
    },
  }
}

/** Returns the value of a fact in an answer: `revenue [USD]: 5`. */
export const factIn = (text: string, name: string): string | undefined =>
  text
    .split('\n')
    .find((line) => line.replace(/ \[\w+\]/, '').startsWith(`${name}: `))
    ?.replace(/^.*?: /, '')

/** Returns the rows of a table in an answer, as objects by column name without units. */
export function rowsIn(text: string, title = 'rows'): Record<string, string>[] {
  const lines = text.split('\n')
  const from = lines.findIndex((line) => line.startsWith(`## ${title} (`))
  if (from < 0) return []
  const shared: Record<string, string> = {}
  let at = from + 1
  const same = /^same in all rows: (.*)/.exec(lines[at] ?? '')
  if (same) {
    for (const pair of same[1]!.split(/, (?=[\w.]+(?: \[\w+\])? = )/)) {
      const [name, value] = pair.split(' = ')
      shared[bare(name!)] = value!
    }
    at++
  }
  const names = (lines[at] ?? '').split('\t').map(bare)
  const rows: Record<string, string>[] = []
  for (const line of lines.slice(at + 1)) {
    if (line === '' || /^(## |\(no value|\(left out|… )/.test(line)) break
    const cells = line.split('\t')
    rows.push({ ...shared, ...Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])) })
  }
  return rows
}

const bare = (head: string) => head.replace(/ \[\w+\]$/, '')

/** Returns the token for the continuation of an answer. */
export const tokenIn = (text: string): string | undefined => /next_page\(token="([\w-]+)"\)/.exec(text)?.[1]
