/** Reads reporting persons, in either form. */

import { foldedKey } from '../../../read/fold.ts'
import { decimal, named } from '../../../read/values.ts'
import type { Element } from '../../../read/xml.ts'
import { wordsOfNames } from '../../../stored-names.ts'

const GROUPS = new Map([
  ['a', 'a'],
  ['b', 'b'],
] as const)

/** Returns the search keys of the reporting persons. */
export function foundBy(persons: readonly { name: string | null }[]) {
  const names = persons.flatMap(({ name }) => name ?? [])
  if (names.length === 0) return { person_key: null, person_words: null }
  return { person_key: names.map(foldedKey).join('\n'), person_words: wordsOfNames(names) }
}

export function personOf13d(element: Element) {
  return {
    ...who(element, { cik: 'reportingPersonCIK', hasNoCik: 'reportingPersonNoCIK', group: 'memberOfGroup' }),
    source_of_funds: element.texts('fundType'),
    legal_proceedings: element.flag('legalProceedings'),
    ...powers(element),
    shares: element.money('aggregateAmountOwned'),
    excludes_shares: element.flag('isAggregateExcludeShares'),
    percent: percent(element, 'percentOfClass'),
    comment: element.text('commentContent'),
  }
}

export function personOf13g(element: Element) {
  const owned = element.maybe('reportingPersonBeneficiallyOwnedNumberOfShares')
  return {
    ...who(element, { cik: 'reportingCik', hasNoCik: 'reportingCikNotPresentInEdgarFlag', group: 'memberGroup' }),
    source_of_funds: [],
    legal_proceedings: null,
    ...powers(owned),
    shares: element.money('reportingPersonBeneficiallyOwnedAggregateNumberOfShares'),
    excludes_shares: element.flag('aggregateAmountExcludesCertainSharesFlag'),
    percent: percent(element, 'classPercent'),
    comment: element.text('comments'),
  }
}

function who(element: Element, at: Record<'cik' | 'hasNoCik' | 'group', string>) {
  return {
    name: named(element.text('reportingPersonName')),
    cik: element.cik(at.cik),
    has_no_cik: element.flag(at.hasNoCik),
    member_of_group: element.value(at.group, (word) => GROUPS.get(word as 'a' | 'b') ?? null, 'is neither a nor b'),
    citizenship: element.text('citizenshipOrOrganization'),
    types: element.texts('typeOfReportingPerson'),
  }
}

const powers = (owned: Element | null) => ({
  sole_voting: owned?.money('soleVotingPower') ?? null,
  shared_voting: owned?.money('sharedVotingPower') ?? null,
  sole_dispositive: owned?.money('soleDispositivePower') ?? null,
  shared_dispositive: owned?.money('sharedDispositivePower') ?? null,
})

/** Some filers write the percent sign: 4.83%. */
const percent = (element: Element, path: string) =>
  element.value(path, (text) => decimal(text.replace(/(?<!\s)\s*%$/, '')), 'is not a decimal number')
