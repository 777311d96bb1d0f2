/** The two cookies of sign-in: the session, and the secret of a browser that is signing in. */

/** Text of 32 random bytes. */
const SECRET = /^[\w-]{43}$/

export interface Cookies {
  /** Returns the id of the session that a header Cookie contains; null if it contains none. */
  session(header: string | undefined): string | null
  /** Returns the secret of a sign-in that a header Cookie contains; null if it contains none. */
  signIn(header: string | undefined): string | null
  /**
   * Returns the header Set-Cookie that keeps a session for this many seconds. With 0 seconds, the browser deletes the
   * cookie.
   */
  keepSession(id: string, seconds: number): string
  keepSignIn(secret: string, seconds: number): string
}

/**
 * @param isSecure whether people reach the service by https. The names then begin with `__Host-`, so that a browser
 *   takes these cookies from this host alone, and not from another host of the same domain
 */
export function cookies(isSecure: boolean): Cookies {
  const prefix = isSecure ? '__Host-' : ''
  const session = `${prefix}openfilings_session`
  const signIn = `${prefix}openfilings_sign_in`
  const kept = (name: string, value: string, seconds: number, sameSite: 'Strict' | 'Lax') =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
  return {
    session: (header) => cookieIn(header, session),
    signIn: (header) => cookieIn(header, signIn),
    keepSession: (id, seconds) => kept(session, id, seconds, 'Strict'),
    // Lax, since the browser comes back from the provider, which is another site.
    keepSignIn: (secret, seconds) => kept(signIn, secret, seconds, 'Lax'),
  }
}

function cookieIn(header: string | undefined, name: string): string | null {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=')
    if (at < 0 || part.slice(0, at).trim() !== name) continue
    const value = part.slice(at + 1).trim()
    if (SECRET.test(value)) return value
  }
  return null
}
