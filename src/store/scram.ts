/**
 * Makes the verifier that PostgreSQL stores for a password (RFC 5802, RFC 7677), so that its log never has the password
 * itself.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

/** PostgreSQL's own default. The passwords are random, so more rounds would add no protection. */
const ROUNDS = 4096

/** Makes `SCRAM-SHA-256$4096:<salt>$<stored key>:<server key>` for a password in ASCII. */
export function verifierOf(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ROUNDS, 32, 'sha256')
  const keyOf = (what: string) => createHmac('sha256', salted).update(what).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ROUNDS}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`
}
