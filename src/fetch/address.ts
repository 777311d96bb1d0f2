/** Checks the address of a host, and the User-Agent that names us to this host. */
import { EdgarError } from './answer.ts'

export interface Base {
  url: URL
  /** Requests to remote hosts are paced; requests to loopback hosts and folders are not. */
  place: 'folder' | 'loopback' | 'remote'
}

/**
 * Reads a base address: https, http on loopback, or `file:///folder`.
 *
 * @throws EdgarError `configuration` that names the address and its fault
 */
export function parseBase(given: string): Base {
  const url = URL.canParse(given) ? new URL(given) : null
  const wrong = (what: string) => new EdgarError('configuration', `the address ${JSON.stringify(given)} ${what}`)
  if (!url) throw wrong('is not a URL')
  // The message does not repeat the address, because the address contains a password.
  if (url.username || url.password)
    throw new EdgarError('configuration', 'the address of EDGAR must have no user or password')
  if (url.search || url.hash) throw wrong('must not have a query or a fragment')
  if (url.protocol === 'file:') {
    if (url.host) throw wrong('names a host; write a folder as file:///path')
    return { url, place: 'folder' }
  }
  const loopback = /^(?:127(?:\.\d+){3}|\[::1\]|localhost)$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) {
    throw wrong('must be https; http is allowed only for loopback hosts')
  }
  return { url, place: loopback ? 'loopback' : 'remote' }
}

/** Returns the URL of a path below the base address. The caller has checked the path. */
export function below({ url }: Base, path: string): URL {
  return new URL(url.href.replace(/\/$/, '') + path)
}

const MAIL = /(?<![^\s@<>()])[^\s@<>()]+@[^\s@<>()]+\.[a-z]{2,}/i

/**
 * Returns the User-Agent to send. If the User-Agent names no contact, EDGAR answers 403 and blocks the IP address of
 * the program. The User-Agent is therefore checked before anything is sent.
 *
 * @throws EdgarError `configuration` that states how to set it
 */
export function usableAgent(userAgent: string | null, { url }: Base): string {
  const agent = userAgent ?? ''
  const isSec = url.hostname === 'sec.gov' || url.hostname.endsWith('.sec.gov')
  const isContact = MAIL.test(agent) && /[a-z]{2}/i.test(agent.replace(MAIL, ''))
  if (/^[\x20-\x7e]*$/.test(agent) && (isContact || !isSec)) return agent || 'openfilings'
  const state = agent ? `${JSON.stringify(agent)} is not a contact` : 'it is not set'
  throw new EdgarError(
    'configuration',
    `${url.host} requires a contact: set EDGAR_USER_AGENT to a name and an e-mail address, ` +
      `such as "Jane Doe jane@doe.example" (${state})`,
  )
}
