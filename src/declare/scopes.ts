/** What a key may be allowed to do. */
export type Scope = 'api' | 'brochures' | 'mcp'
export const SCOPES: readonly Scope[] = ['api', 'brochures', 'mcp']
