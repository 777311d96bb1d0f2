/** No route has a schema of Fastify, since those of the catalog are checked by their own: what compiles them takes 25 ms to load. */
import type { FastifyServerOptions } from 'fastify'

const refuse = () => {
  throw new Error(
    'a route has a schema of Fastify, which nothing compiles here: declare what it takes with declare/route.ts',
  )
}

export const noSchemas = {
  compilersFactory: { buildValidator: refuse, buildSerializer: refuse },
} satisfies FastifyServerOptions['schemaController']
