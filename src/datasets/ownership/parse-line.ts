/**
 * Reads lines of Tables I and II. A value may have footnotes next to it, or in its place. If footnotes are in its
 * place, the value is null and the footnotes are listed. A quarterly set rounds amounts to cents, so a price of 0 may
 * be a fraction of a cent. Such a price is null, and `rounded_to_zero` of the line names it.
 */
import type { Element } from '../../read/xml.ts'

/** Values that all lines of a filing share. */
export interface Context {
  filed_date: string
  issuer_cik: string | null
  /** Ids of the filing's footnotes. */
  footnotes: ReadonlySet<string | null>
  /** Whether amounts were rounded to two decimals. */
  isRounded: boolean
}

interface Reference {
  column: string
  ids: string[]
}

/** Reads the values of one line and collects their footnotes. */
function lineOf(element: Element, { footnotes, isRounded }: Context) {
  const footnote_refs: Reference[] = []
  const rounded_to_zero: string[] = []
  const refer = (column: string, at: Element) => {
    const ids = at.texts('footnoteId/@id')
    for (const id of ids) if (!footnotes.has(id)) at.problem(id, 'the filing has no such footnote')
    if (ids.length > 0) footnote_refs.push({ column, ids })
  }
  const read = <T>(column: string, path: string, value: (at: Element) => T | null): T | null => {
    const at = element.maybe(path)
    if (at === null) return null
    refer(column, at)
    return value(at)
  }
  const number = (column: string, path: string) => read(column, path, (at) => at.money('value'))
  return {
    footnote_refs,
    rounded_to_zero,
    refer: (column: string, path: string) => {
      const at = element.maybe(path)
      if (at !== null) refer(column, at)
    },
    text: (column: string, path: string) => read(column, path, (at) => at.text('value')),
    number,
    price: (column: string, path: string, isFree = false) => {
      const price = number(column, path)
      if (!isRounded || isFree || price !== '0') return price
      rounded_to_zero.push(column)
      return null
    },
    day: (column: string, path: string) => read(column, path, (at) => at.date('value', 'iso')),
    letter: (column: string, path: string, letters: string) =>
      read(column, path, (at) => at.value('value', (text) => letterOf(text, letters), `not one of ${letters}`)),
  }
}

const letterOf = (text: string, letters: string): string | null => {
  const letter = text.toUpperCase()
  return letter.length === 1 && letters.includes(letter) ? letter : null
}

type Line = ReturnType<typeof lineOf>

/** The code of a gift. The price of a gift is 0, and not a rounded fraction of a cent. */
const GIFT = 'G'

/** Reads a line of Table I. */
export function securityLine(element: Element, is_holding: boolean, context: Context) {
  const line = lineOf(element, context)
  const { footnote_refs, rounded_to_zero } = line
  return {
    ...headOf(line, is_holding, context),
    ...transactionOf(line, element),
    ...holdingOf(line),
    footnote_refs,
    rounded_to_zero,
  }
}

/** Reads a line of Table II. */
export function derivativeLine(element: Element, is_holding: boolean, context: Context) {
  const line = lineOf(element, context)
  const { footnote_refs, rounded_to_zero } = line
  return {
    ...headOf(line, is_holding, context),
    exercise_price: line.price('exercise_price', 'conversionOrExercisePrice'),
    ...transactionOf(line, element),
    exercise_date: line.day('exercise_date', 'exerciseDate'),
    expiration_date: line.day('expiration_date', 'expirationDate'),
    underlying_title: line.text('underlying_title', 'underlyingSecurity/underlyingSecurityTitle'),
    underlying_shares: line.number('underlying_shares', 'underlyingSecurity/underlyingSecurityShares'),
    underlying_value: line.number('underlying_value', 'underlyingSecurity/underlyingSecurityValue'),
    ...holdingOf(line),
    footnote_refs,
    rounded_to_zero,
  }
}

const headOf = (line: Line, is_holding: boolean, { filed_date, issuer_cik }: Context) => ({
  filed_date,
  is_holding,
  issuer_cik,
  security_title: line.text('security_title', 'securityTitle'),
})

function transactionOf(line: Line, element: Element) {
  line.refer('code', 'transactionCoding')
  const amounts = 'transactionAmounts'
  const code = codeOf(element)
  return {
    transaction_date: line.day('transaction_date', 'transactionDate'),
    deemed_date: line.day('deemed_date', 'deemedExecutionDate'),
    form_type: element.text('transactionCoding/transactionFormType'),
    code,
    equity_swap: element.flag('transactionCoding/equitySwapInvolved'),
    timeliness: line.letter('timeliness', 'transactionTimeliness', 'EL'),
    shares: line.number('shares', `${amounts}/transactionShares`),
    total_value: line.number('total_value', `${amounts}/transactionTotalValue`),
    price: line.price('price', `${amounts}/transactionPricePerShare`, code === GIFT),
    acquired_disposed: line.letter('acquired_disposed', `${amounts}/transactionAcquiredDisposedCode`, 'AD'),
  }
}

/** Codes of General Instruction 8, in alphabetical order; codes.ts has their meanings. */
const CODES = 'ACDEFGHIJKLMOPSUVWXZ'

/** Returns a code of the form in capitals. Any other text is kept as filed, since it may be a code of a later form. */
function codeOf(element: Element): string | null {
  const filed = element.text('transactionCoding/transactionCode')
  if (filed === null) return null
  const code = filed.toUpperCase()
  if (code.length === 1 && CODES.includes(code)) return code
  element.one('transactionCoding/transactionCode').problem(filed, 'not a transaction code of the form')
  return filed
}

function holdingOf(line: Line) {
  const after = 'postTransactionAmounts'
  return {
    shares_after: line.number('shares_after', `${after}/sharesOwnedFollowingTransaction`),
    value_after: line.number('value_after', `${after}/valueOwnedFollowingTransaction`),
    ownership: line.letter('ownership', 'ownershipNature/directOrIndirectOwnership', 'DI'),
    nature: line.text('nature', 'ownershipNature/natureOfOwnership'),
  }
}
