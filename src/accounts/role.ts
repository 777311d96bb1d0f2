/** Decides whether the claims of a person have the role of an operator. */

export interface OperatorRole {
  /** Name of the claim; dots lead into objects: `realm_access.roles`. */
  claim: string
  /** The value that the claim must have. If the claim is a list, one of its entries must have this value. */
  value: string
}

/**
 * Only a text that equals the value, or a list that contains it, gives the role. `true`, an object that has the value
 * as the name of a member, and a text of which the value is only a part do not give the role.
 */
export function isOperator(claims: Readonly<Record<string, unknown>>, role: OperatorRole | null): boolean {
  if (role === null) return false
  const found = claimOf(claims, role.claim)
  return Array.isArray(found) ? found.includes(role.value) : found === role.value
}

/**
 * Returns the value of a claim. First looks for a claim with the whole name, since some claims are called
 * `https://example.org/roles`.
 */
export function claimOf(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let at: unknown = claims
  for (const part of name.split('.')) {
    if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, part)) return undefined
    at = (at as Record<string, unknown>)[part]
  }
  return at
}
