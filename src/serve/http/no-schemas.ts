/**
 * Prevents Fastify from loading its schema compilers, which would take 25 ms. Routes of the catalog check their own
 * input, so no route has a schema of Fastify.
 */
import type { FastifyServerOptions } from 'fastify'

const refuse = () => {
  throw new Error('a route has a Fastify schema, which is not compiled here: declare its input with declare/route.ts')
}

export const noSchemas = {
  compilersFactory: { buildValidator: refuse, buildSerializer: refuse },
} satisfies FastifyServerOptions['schemaController']
