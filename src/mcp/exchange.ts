/**
 * Handles one exchange of Streamable HTTP: a message and its answer. There are no sessions. Each exchange has its own
 * server, which ends with the exchange. So a client that never returns costs nothing.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import { isObject } from '../pages/explorer/shape.ts'
import type { Api } from './api.ts'
import { type Agent, ran, serverFor } from './server.ts'

export interface Exchange {
  /** Address of this endpoint as the client used it. */
  url: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
  /** Aborts when the client closes the connection. */
  signal: AbortSignal
}

/** The headers of the protocol. No other header of the client is passed on to the SDK. */
const HEADERS = ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id']

/** Content types that a client must accept, by the rules of the protocol. */
const ACCEPTED = ['application/json', 'text/event-stream']

/**
 * Maximum number of messages in a batch. A limit is needed, since a batch is charged as one message and all its
 * messages are answered at the same time.
 */
const BATCH_MAX = 10
/** JSON-RPC's code for a message that is not a valid request. */
const INVALID_REQUEST = -32_600

/** The answer to a message. */
export interface Answer {
  status: number
  headers: readonly (readonly [string, string])[]
  body: string
}

/** The headers of an answer that are passed on to the client. */
const ANSWER_HEADERS = ['content-type', 'allow']

/** Answers one message, whatever its revision of the protocol is. */
export async function exchanged(agent: Agent, api: Api, exchange: Exchange): Promise<Answer> {
  const { headers, body, signal } = exchange
  const parsedBody = parsed(body)
  const call = callIn(parsedBody, headers)
  if (call?.isKnown) {
    const made = await ran(agent, call.name, call.args, { api, signal })
    // Making a `Response` of the platform takes 13 to 24 µs for an answer of 4 KB. Making the text alone takes 1 µs.
    return { status: 200, headers: [['content-type', 'application/json']], body: resultText(call, made, agent) }
  }
  const response = await handled(agent, api, exchange, parsedBody)
  // If the SDK refuses a message, the status of the answer is not 200.
  if (call?.meta && response.status === 200) acceptedMeta.set(call.meta, true)
  return {
    status: response.status,
    headers: ANSWER_HEADERS.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    }),
    body: await response.text(),
  }
}

/** Answers a message by means of the SDK. */
async function handled(agent: Agent, api: Api, exchange: Exchange, parsedBody: unknown): Promise<Response> {
  const { url, headers, body, signal } = exchange
  const own = HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  // The SDK reads the body only if no parsed body is passed to it.
  const unread = parsedBody === undefined ? { body } : {}
  const request = new Request(url, { method: 'POST', headers: own, ...unread })
  if (Array.isArray(parsedBody) && parsedBody.length > BATCH_MAX) {
    const error = { code: INVALID_REQUEST, message: `a batch has at most ${BATCH_MAX} messages` }
    return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 })
  }
  const server = serverFor(agent, api)
  const close = () => void server.close()
  // The SDK could listen to an abort signal of the request instead, but making such a signal takes longer than making
  // the server.
  signal.addEventListener('abort', close, { once: true })
  try {
    if (parsedBody !== undefined && (await isLegacyRequest(request, parsedBody)))
      return await legacy(server, request, parsedBody)
    // No stream is kept open: the lists of tools, resources and prompts never change while a server runs.
    const handler = createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 })
    const { fetch: answer } = handler
    return await answer(request, parsedBody === undefined ? {} : { parsedBody })
  } finally {
    // A server holds no resources after its answer is made, so nothing has to be closed.
    signal.removeEventListener('abort', close)
  }
}

/** A call of a tool that may be answered without the SDK. */
interface ToolCall {
  id: string | number
  name: string
  args: unknown
  /** The metadata as JSON; null in a call without metadata. */
  meta: string | null
  /** Whether the call is answered without the SDK. */
  isKnown: boolean
}

/**
 * Returns the call of a tool in a message; null for every other message. Nearly all messages of clients are such calls.
 * The SDK validates each message several times and so takes four times as long as the tool. So a call is answered
 * without the SDK if `isKnown` shows that the SDK would not refuse it.
 */
function callIn(message: unknown, headers: Exchange['headers']): ToolCall | null {
  const { 'content-type': type, accept } = headers
  if (type !== 'application/json' || !ACCEPTED.every((each) => accept?.includes(each))) return null
  if (!isOf(message, MESSAGE_MEMBERS) || message.jsonrpc !== '2.0' || message.method !== 'tools/call') return null
  const { id, params } = message
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null
  if (!isOf(params, PARAMS_MEMBERS) || typeof params.name !== 'string') return null
  const { name, arguments: args, _meta } = params
  // The SDK leaves out arguments of this name.
  if (args !== undefined && (!isObject(args) || Object.hasOwn(args, '__proto__'))) return null
  const call = { id: id as string | number, name, args }
  return _meta === undefined ? plainCall(call, headers) : knownCall(call, _meta, headers)
}

const MESSAGE_MEMBERS: readonly string[] = ['jsonrpc', 'id', 'method', 'params']
const PARAMS_MEMBERS: readonly string[] = ['name', 'arguments', '_meta']

/** Whether a value is an object without other members. */
const isOf = (value: unknown, members: readonly string[]): value is Record<string, unknown> =>
  isObject(value) && Object.keys(value).every((name) => members.includes(name))

/** A call in an older revision, without metadata. */
function plainCall(call: Pick<ToolCall, 'id' | 'name' | 'args'>, headers: Exchange['headers']): ToolCall | null {
  const { 'mcp-protocol-version': revision } = headers
  if (revision !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(revision))) return null
  return { ...call, meta: null, isKnown: true }
}

/** Revisions in which a client does not send a greeting first. Instead, each message names the client that sends it. */
const NEWEST: readonly string[] = ['2026-07-28']

/** Metadata that the SDK has accepted, as JSON: a client sends the same metadata with each call. */
const acceptedMeta = new LRUCache<string, true>({ max: 1_000 })
const META_LENGTH_MAX = 2_000

/**
 * A call in the newest revision. `isKnown` is true if the SDK has accepted a call with the same metadata: it then has no
 * reason left to refuse the call.
 */
function knownCall(
  call: Pick<ToolCall, 'id' | 'name' | 'args'>,
  _meta: unknown,
  headers: Exchange['headers'],
): ToolCall | null {
  const { 'mcp-protocol-version': revision, 'mcp-method': method, 'mcp-name': named } = headers
  if (typeof revision !== 'string' || !NEWEST.includes(revision) || !isObject(_meta)) return null
  if (_meta[PROTOCOL_VERSION_META_KEY] !== revision || method !== 'tools/call' || named !== call.name) return null
  const meta = JSON.stringify(_meta)
  return meta.length > META_LENGTH_MAX ? null : { ...call, meta, isKnown: acceptedMeta.has(meta) }
}

/** The message with the result of a call, as JSON. The JSON of a text is made once, and cached with the text. */
function resultText({ id, meta }: ToolCall, { isError, made }: Awaited<ReturnType<typeof ran>>, agent: Agent): string {
  const error = isError ? '"isError":true,' : ''
  const stamp = meta === null ? '' : agent.stamp
  const content = `[{"type":"text","text":${made.json}}]`
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${error}"content":${content}${stamp}}}`
}

/**
 * Answers a message of the revisions until 2025-11-25, in which a client sends a greeting first. The answer uses no
 * session, and is JSON instead of a stream.
 */
async function legacy(server: Server, request: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  return transport.handleRequest(request, { parsedBody })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
