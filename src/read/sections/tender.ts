/** Lists the items of tender offers, recommendations and going-private transactions. */
import { type FormItem, item, known, MORE } from './titles.ts'

const isRequired = true
const SUMMARY = item('1', /summary/i, { ...known('summary term sheet') })
const SUBJECT = item('2', /subject company/i, { ...known('subject company information'), isRequired })
const PAST = /past contacts/i
const PURPOSES = /purposes? of/i
const ADDITIONAL = /additional information/i

/** Items of Schedule TO. Item 13 has the information that Schedule 13E-3 requires. */
export const TENDER: readonly FormItem[] = [
  SUMMARY,
  SUBJECT,
  item('3', /identity and background/i, { ...known('identity and background of (?:the )?filing persons?') }),
  item('4', /terms of/i, { ...known('terms of (?:the )?transactions?') }),
  item('5', PAST, { ...known('past contacts', MORE) }),
  item('6', PURPOSES, { ...known('purposes? of (?:the )?(?:transaction|tender offer)', MORE) }),
  item('7', /source and amounts? of funds/i, { ...known('source and amounts? of funds', MORE) }),
  item('8', /interests? in securities/i, { ...known('interests? in securities of (?:the )?subject company') }),
  item('9', /persons/i, { ...known('persons(?:\\/assets)?,? retained', MORE), usual: 8_000 }),
  item('10', /financial statements/i),
  item('11', ADDITIONAL),
  item('12', /exhibits/i, { ...known('exhibits') }),
  item('13', /information required by schedule/i, { ...known('information required by schedule 13e-?3') }),
]

/** Items of Schedule 14D-9. */
export const RECOMMENDATION: readonly FormItem[] = [
  item('1', /subject company/i, { ...known('subject company information'), isRequired }),
  item('2', /identity and background/i, {
    ...known('identity and background of (?:the )?filing persons?'),
    isRequired,
  }),
  item('3', PAST, { ...known('past contacts', MORE), isRequired }),
  item('4', /solicitation|recommendation/i, {
    ...known('(?:the )?solicitation or recommendation'),
    isRequired,
  }),
  item('5', /persons?/i, { ...known('persons?(?:\\/assets)?,? retained', MORE), isRequired, usual: 8_000 }),
  item('6', /interests? in securities/i, {
    ...known('interests? in securities of (?:the )?subject company'),
    isRequired,
    usual: 8_000,
  }),
  item('7', PURPOSES, { ...known('purposes? of (?:the )?transaction', MORE), isRequired, usual: 8_000 }),
  item('8', ADDITIONAL, { ...known('additional information') }),
  item('9', /exhibits/i, { ...known('exhibits') }),
]

/** Schedule 13E-3. */
export const GOING_PRIVATE: readonly FormItem[] = [
  SUMMARY,
  SUBJECT,
  item('3', /identity and background/i, { ...known('identity and background of (?:the )?filing persons?') }),
  item('4', /terms of/i, { ...known('terms of (?:the )?transactions?') }),
  item('5', PAST, { ...known('past contacts', MORE) }),
  item('6', PURPOSES, { ...known('purposes? of (?:the )?transactions?', MORE) }),
  item('7', /purposes?/i, { ...known('purposes?,? alternatives', MORE) }),
  item('8', /fairness/i, { ...known('fairness of (?:the )?transaction') }),
  item('9', /reports?,? opinions?/i, { ...known('reports?,? opinions?,? appraisals', MORE) }),
  item('10', /source and amounts? of funds/i, { ...known('source and amounts? of funds', MORE) }),
  item('11', /interests? in securities/i, { ...known('interests? in securities of (?:the )?subject company') }),
  item('12', /solicitation|recommendation/i, { ...known('(?:the )?solicitation or recommendation') }),
  item('13', /financial (?:statements|information)/i, { ...known('financial statements') }),
  item('14', /persons?/i, { ...known('persons?(?:\\/assets)?,? retained', MORE), usual: 8_000 }),
  item('15', ADDITIONAL),
  item('16', /exhibits/i, { ...known('exhibits') }),
]
