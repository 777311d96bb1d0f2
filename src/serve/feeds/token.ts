/**
 * Tokens of feed addresses. A token is the secret in the address, since feed readers send no headers. The database
 * stores only the SHA-256 of the token; the token is random, so it cannot be found from the hash.
 */
import { randomBytes } from 'node:crypto'

/**
 * 160 random bits, which are written as 40 hexadecimal digits. The log redacts any 20 letters and digits in a row as a
 * secret.
 */
const BYTES = 20

export const TOKEN = /^sf_[0-9a-f]{40}$/

export const feedToken = (): string => `sf_${randomBytes(BYTES).toString('hex')}`
