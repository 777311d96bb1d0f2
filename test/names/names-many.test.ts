/** The ranked search for words in very many names, and for several mistyped words at once. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FILERS } from '../../src/ingest/filer-names.ts'
import { searchNames } from '../../src/names.ts'
import { freshDatabase } from '../support/database.ts'
import { putFilers, type Specimen } from '../support/names/world.ts'

const { sql } = await freshDatabase({ after })

let count = 0
const filer = (name: string): Specimen => ({ id: String(++count), name, city: null, state: null, importance: 1 })
/** Returns a word of only letters, different for each number. */
const word = (n: number) => `q${[...String(n)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')}`

// All names have the same importance band. Each of the two words is in more names than one read of the index returns,
// and one name has both words.
const johns = Array.from({ length: 3000 }, (_, n) => filer(`JOHN ${word(n)}`))
const trusts = Array.from({ length: 21_000 }, (_, n) => filer(`${word(n)} TRUST`))
// More than a dozen words begin with these letters, and too many names contain one of them to be combined.
const begun = Array.from({ length: 21_000 }, (_, n) => filer(`${word(n)} GLEN${'bcdfghjklmnpqrstvwxz'[n % 20]}`))
const both = filer('ZELLER JOHN FAMILY TRUST')
const glens = filer('ZELLER GLENB PARTNERS')
const mercer = filer('MERCER ALPHA PARTNERS')
const others = [filer('MERCUR BROTHERS'), filer('ALPHAR SONS')]
const apart = filer('WESTHAVEN BRIDGE COMPANY LLC')
const endless = ['a'.repeat(5000), `𝔊${'é'.repeat(3000)}`].map((name) => filer(`${name} CAPITAL`))
const pimco = filer('PACIFIC INVESTMENT MANAGEMENT CO LLC')
const morgan = filer('J.P. MORGAN SECURITIES LLC')
const chase = filer('CHASE AUTO TRUST')
await putFilers(sql, [
  ...johns,
  both,
  glens,
  ...trusts,
  ...begun,
  mercer,
  ...others,
  apart,
  pimco,
  morgan,
  chase,
  ...endless,
])

const found = (typed: string) => searchNames(sql, FILERS, typed, 10)
const cik = ({ id }: Specimen) => id.padStart(10, '0')

test('a name with two common words is found by both words, however many names have one of them', async () => {
  assert.deepEqual(await found('john trust'), [cik(both)])
  assert.deepEqual(await found('trust john'), [cik(both)])
})

test('the last word also matches as a beginning, if only few words begin with it', async () => {
  assert.deepEqual(await found('john trus'), [cik(both)])
  assert.deepEqual(await found('zeller tru'), [cik(both)])
})

test('a beginning that very many names share is tested only on names that match another word', async () => {
  assert.deepEqual(await found('zeller glen'), [cik(glens)])
  assert.equal((await found('glen')).length, 10)
})

test('a wrong letter is corrected in an unknown word and in a word that other names have, if nothing else is found', async () => {
  assert.deepEqual(await found('mercur alhpa'), [cik(mercer)])
  assert.deepEqual(await found('mercer alhpa'), [cik(mercer)])
})

test('a name that joins two typed words is the only answer, and the typed space does not count as an error', async () => {
  assert.deepEqual(await found('west haven bridge'), [cik(apart)])
  assert.deepEqual(await found('westhaven brid ge company'), [cik(apart)])
})

test('if no name has all words of a search, a name that begins with all of them but one is found', async () => {
  assert.deepEqual(await found('jp morgan chase'), [cik(morgan)])
  assert.deepEqual(await found('chase jp morgan'), [cik(morgan)])
  assert.deepEqual(await found('jp morgan xkcdvbn'), [], 'a word that no name has means another thing')
  assert.deepEqual(await found('morgan chase'), [], 'no word of a text of two words is left out')
})

test('a short word does not match the beginning of another word that differs in two letters', async () => {
  assert.deepEqual(await found('invesco'), [])
  assert.deepEqual(await found('investmnet'), [cik(pimco)])
  assert.deepEqual(await found('invstment managment'), [cik(pimco)])
})

test('a word longer than the database’s limit is stored in parts, and found by its beginning', async () => {
  assert.deepEqual(await found('a'.repeat(200)), [cik(endless[0]!)])
  assert.deepEqual(await found(`𝔊${'é'.repeat(150)}`), [cik(endless[1]!)])
})

test('nonsense finds nothing among very many names', async () => {
  for (const typed of ['xkcdvbn', 'john xkcdvbn', 'xkcdvbn trust']) assert.deepEqual(await found(typed), [], typed)
})
