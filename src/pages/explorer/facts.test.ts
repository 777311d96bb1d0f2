import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { factsOf } from './facts.ts'
import type { Linker } from './linker.ts'

test('a name whose number is not stated has no link', () => {
  const cik = z.string().nullable().meta({ 'x-entity': 'cik' })
  const type = z.object({ company_name: z.string(), cik })
  // A list of facts uses only these two members of a linker.
  const links = { about: (_entity: string, value: string) => `/company/${value}`, filing: null } as unknown as Linker
  const shown = (values: Record<string, unknown>) => factsOf(values, type, { links, without: [], json: '' }).text
  assert.match(shown({ company_name: 'Apple', cik: '320193' }), /<a href="\/company\/320193">/)
  assert.doesNotMatch(shown({ company_name: 'Specimen Rockets', cik: null }), /<a /)
})

test('a list and the number of its items are shown as one fact if both members have the same label', () => {
  const type = z.object({ left_out_count: z.int(), left_out: z.array(z.string()) })
  // Texts use only these two members of a linker.
  const links = { about: () => null, familyOf: () => null } as unknown as Linker
  const shown = (values: Record<string, unknown>) =>
    factsOf(values, type, { links, without: [], json: '' })
      .text.replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  assert.equal(shown({ left_out_count: 2, left_out: ['officer', 'vote'] }), 'Left out 2: officer , vote')
  assert.equal(shown({ left_out_count: 0, left_out: [] }), 'Left out 0')
  assert.equal(shown({ left_out_count: null, left_out: ['officer'] }), 'Left out officer Not stated: left out.')
})
