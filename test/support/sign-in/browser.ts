/** The parts of a browser that sign-in needs: cookies by host, SameSite, and single redirects. */
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

interface Cookie {
  value: string
  attributes: string
}

export interface Shown {
  status: number
  headers: IncomingHttpHeaders
  text: string
  location: string | null
}

interface Sent {
  form?: Record<string, string | readonly string[]>
  /** Site where the request begins; from another site a browser leaves cookies out. */
  site?: 'none' | 'same-origin' | 'cross-site'
  headers?: Record<string, string>
}

let made = 0

export class TestBrowser {
  readonly #jars = new Map<string, Map<string, Cookie>>()
  readonly #headers: Readonly<Record<string, string>>

  /** @param ip client address that a proxy states for the requests; by default a separate one */
  constructor(ip = `198.18.${++made >> 8}.${made & 255}`) {
    this.#headers = { 'x-forwarded-for': ip }
  }

  /** Returns the cookies of an origin, as a browser would show them to its owner. */
  cookies(origin: string): ReadonlyMap<string, Cookie> {
    return this.#jars.get(origin) ?? new Map()
  }

  /** Sets a cookie from outside, as an attacker may. */
  plant(origin: string, name: string, value: string): void {
    this.#jar(origin).set(name, { value, attributes: '' })
  }

  async open(address: string, { form, site = 'same-origin', headers = {} }: Sent = {}): Promise<Shown> {
    const { origin } = new URL(address)
    const jar = this.#jar(origin)
    const sent = [...jar].filter(([, { attributes }]) => site !== 'cross-site' || !/SameSite=Strict/i.test(attributes))
    const body = form && fieldsOf(form).toString()
    const response = await exchange(address, body, {
      accept: 'text/html',
      ...(sent.length > 0 && { cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; ') }),
      'sec-fetch-site': site,
      'sec-fetch-mode': 'navigate',
      ...this.#headers,
      ...headers,
    })
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name, value, attributes] = /^([^=]+)=([^;]*);?(.*)$/.exec(line)!
      if (value === '' || /Max-Age=0/.test(attributes!)) jar.delete(name!)
      else jar.set(name!, { value: value!, attributes: attributes! })
    }
    const text = Buffer.concat(await Array.fromAsync(response)).toString()
    const { location } = response.headers
    return {
      ...{ status: response.statusCode!, headers: response.headers, text },
      location: location === undefined ? null : new URL(location, address).href,
    }
  }

  /** Completes the provider's form, up to the address to which the provider redirects the browser. */
  async through(address: string, login: string): Promise<string> {
    const { origin } = new URL(address)
    let at = address
    for (let steps = 0; steps < 10; steps++) {
      let shown = await this.open(at, { site: 'cross-site' })
      const action = / action="([^"]+)"/.exec(shown.text)?.[1]
      if (shown.status === 200 && action) {
        const form = { prompt: 'login', login, password: 'any' }
        shown = await this.open(new URL(action, at).href, { form })
      }
      if (shown.location === null) throw new Error(`the provider answered ${shown.status}: ${shown.text.slice(0, 500)}`)
      if (new URL(shown.location).origin !== origin) return shown.location
      at = shown.location
    }
    throw new Error('the provider leads round in a circle')
  }

  /** Signs in completely. @returns the answer to the browser's return */
  async signIn(base: string, login: string, to = '/account'): Promise<Shown> {
    const begun = await this.open(`${base}/sign-in?to=${encodeURIComponent(to)}`)
    if (begun.location === null) return begun
    return this.open(await this.through(begun.location, login), { site: 'cross-site' })
  }

  #jar(origin: string): Map<string, Cookie> {
    const jar = this.#jars.get(origin) ?? new Map<string, Cookie>()
    this.#jars.set(origin, jar)
    return jar
  }
}

function fieldsOf(form: Record<string, string | readonly string[]>): URLSearchParams {
  const pairs = Object.entries(form).flatMap(([name, value]) => [value].flat().map((one) => [name, one as string]))
  return new URLSearchParams(pairs)
}

/** Returns the token of the forms on a page. */
export const tokenOn = ({ text }: Pick<Shown, 'text'>): string => / name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** Sends one request. The built-in fetch would set the headers `sec-fetch-…` itself. */
function exchange(
  address: string,
  body: string | undefined,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const options = {
      method: body === undefined ? 'GET' : 'POST',
      agent: false,
      headers: { ...headers, ...(body !== undefined && type) },
    }
    request(address, options, resolve).on('error', reject).end(body)
  })
}
