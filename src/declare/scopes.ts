/** Scopes: the permissions of a key. */
export type Scope = 'api' | 'brochures' | 'mcp'
export const SCOPES: readonly Scope[] = ['api', 'brochures', 'mcp']
