/**
 * Keeps Fastify's compilers of schemas from being loaded, which takes 25 ms. Routes of the catalog check their own
 * input, so no route has a schema of Fastify.
 */
import type { FastifyServerOptions } from 'fastify'

const refuse = () => {
  throw new Error(
    'a route has a schema of Fastify, which nothing compiles here: declare what it takes with declare/route.ts',
  )
}

export const noSchemas = {
  compilersFactory: { buildValidator: refuse, buildSerializer: refuse },
} satisfies FastifyServerOptions['schemaController']
