/** Item 4.01: finds the former and the new audit firm, and the day of each change. */
import { STATE_NAMES } from '../../../declare/places.ts'
import { DAY, dayOf } from '../../../read/prose/dates.ts'
import { OPENERS } from '../../../read/prose/openers.ts'
import type { Sentence } from '../../../read/prose/sentences.ts'
import { onDay } from '../days.ts'
import type { Fact, FactName } from './fact.ts'

const FORM =
  '(?:LLP|L\\.L\\.P\\.|LLC|L\\.L\\.C\\.|PLLC|P\\.L\\.L\\.C\\.|P\\.C\\.|PC|CPAS|CPAs|CPA|P\\.A\\.|PA|Chartered|Ltd)'
/** Matches states in the names of firms, as in "Finch Hale of Texas, P.C.". */
const STATE = `(?:${STATE_NAMES.join('|')})`
/** Matches "WithumSmith+Brown, PC", "Victor Mokuolu, CPA PLLC": capitalized words that end in a legal form. */
const FIRM = String.raw`(?:\p{Lu}[\p{L}\d’'.+&-]{0,30}(?:,\s|\s(?:&\s|and\s|\+\s|of\s(?=${STATE}\b))?)){1,7}${FORM}(?:,?\s${FORM})?(?![\p{L}])`
/** Matches "Finch Hale & Co.", "Ada Sample and Associates", with or without a legal form. */
const AND_CO = String.raw`(?:\p{Lu}[\p{L}\d’'.+-]{0,30}(?:,\s|\s)){1,5}(?:&|and)\s(?:Co\.|Company|Associates)(?:,?\s(?:${FORM}|Inc\.?|Limited))?(?![\p{L}])`
/**
 * Names without a legal form. Does not match before another capitalized word, since the name of the firm is then
 * longer: "KPMG Samjong Accounting".
 */
const KNOWN = String.raw`(?:Deloitte(?:\s&\sTouche)?|Ernst\s&\sYoung|PricewaterhouseCoopers|KPMG(?:\sPeat\sMarwick)?|Arthur\sAndersen|Grant\sThornton|BDO(?:\sSeidman|\sUSA)?|Marcum|Crowe\sHorwath|RSM\sUS|Baker\sTilly)(?:,?\s(?:LLP|P\.C\.|AG|GmbH|S\.A\.|SA|S\.p\.A\.|SpA|N\.V\.|B\.V\.|AB|AS|Oy|Ltd\.?|Limited|S\.L\.|SAS))?(?![\p{L}]|\s(?:&|\p{Lu}\p{Ll}))`
const NAMED = new RegExp(`${FIRM}|${AND_CO}|${KNOWN}`, 'gu')
/** Matches a short name that the text defines after the firm: (“Marcum”), ("D&T", or the "Former Auditor"). */
const ALIAS = /^,?\s\([^()“”"]{0,20}["“]([^()“”"]{2,40})["”]/u
/** Capitalized words before a firm that are not part of its name. */
const BEFORE_NAME = new RegExp(
  `^(?:(?:The|Effective|Following|Upon|Our|Its|Company|Board|Committee|Directors|Firm|After|As|Before|Both|If|Once|Since|That|When|While|(?:${OPENERS.join('|')}),?)\\s(?:and\\s|with\\s|from\\s)?)+|^[^,]{1,80}\\s(?:and|with)\\s(?=${KNOWN})`,
  'u',
)

interface Mention {
  firm: string
  start: number
  end: number
}

const VERB = {
  former:
    /\b(?:dismiss(?:ed|al of|ing)|terminat(?:ed|ion of|ing)|replac(?:ed|e|es|ing)|resignation (?:of|from|letter from)|remov(?:ed|al of|ing)|ceased to engage|not (?:to )?(?:re-?engage|renew|retain|reappoint)|discharg(?:ed|e)|in place of|in lieu of|succeed(?:s|ing|ed)?)\s(?:(?:[a-z’'-]+\s){0,7}(?:of|with|auditors?,?|accountants?,?|firm,?)\s)?$/,
  changed: /\b(?:chang(?:e|ed|ing)|switch(?:ed)?)\b[^.;]{0,120}\bfrom\s(?:the firm of\s)?$/i,
  new: /\b(?:engag(?:ed|ing|ement of|e)|appoint(?:ed|ing|ment of)|retain(?:ed|ing)|retention of|select(?:ed|ing|ion of)|hir(?:ed|ing)|chosen|chose)\s(?:(?:the )?(?:firm|services|accounting firm) of\s|(?:[a-z’'-]+\s){0,7}(?:auditors?,?|accountants?,?|firm,?)\s)?$/,
}
const AFTER = {
  former:
    /^(?:\s\([^()]{1,80}\))?(?:,[^.;]{1,120},)?,?\s(?:was (?:\w+ly )?dismissed|were dismissed|has been dismissed|had been dismissed|(?:has |had |\w+ly )?resigned|will resign|declined to stand|(?:ceased|ceases) (?:on|to|as|effective)|(?:notified|informed|advised|confirmed)\s(?:[^.;]|\.(?!\s[A-Z])){1,200}?\b(?:resign|declin|not stand|cease|not seek))/,
  new: /^(?:\s\([^()]{1,80}\))?(?:,[^.;]{1,120},)?,?\s(?:was|were|has been|have been|is being)\s(?:\w+ly )?(?:engaged|appointed|retained|selected|hired)\b|^(?:\s\([^()]{1,80}\))?,\s(?:which\s(?:was|we)\s|who\s(?:was|were)\s)?(?:engaged|appointed|retained|selected|hired)\s(?:on|as of|effective|by)\b|^(?:\s\([^()]{1,80}\))?,?\s(?:has\s|thereby\s|thereupon\s)?(?:became|becomes|will become)\s(?:the\sCompany[’']s|our)\s[^.;]{0,60}?(?:accounting firm|accountants?|auditors?)\b/,
}
/** Matches "Birch LLP combined its practice with", "Birch LLP, our auditor, merged into", up to the next firm. */
const COMBINES =
  /^(?:\s\([^()]{1,80}\))?(?:,[^;]{3,160},)?\s(?:has\s|have\s|was\s|were\s)?(?:combined|merged|joined)(?:\s(?:its|their)\s(?:accounting\s|audit\s|public\s)*(?:practices?|business(?:es)?|operations))?(?:\s(?:with|into|and into))?\s(?:the\s(?:firm|practice)\sof\s)?$/
/** Matches "the practice of Birch LLP was combined with" after the former firm. */
const IS_COMBINED =
  /^(?:\s\([^()]{1,80}\))?(?:,[^;]{3,160},)?\s(?:was|were|has been|have been)\s(?:combined with|merged (?:with|into)|acquired by)\s$/
/** Matches "acquired certain assets of" between the name of the new firm and the name of the former firm. */
const ACQUIRES = /^(?:\s\([^()]{1,80}\))?\s(?:has\s)?acquired\s(?:[a-z]+\s){0,8}(?:of\s)?$/
/** Matches a description of the former firm: ", the Company’s independent registered public accounting firm". */
const IS_AUDITOR =
  /^(?:\s\([^()]{1,80}\))?,\s(?:which (?:was|is|has been)\s)?(?:(?:the\sCompany[’']s|our|its|the)\s)(?:[a-z]+\s){0,6}(?:accounting firm|accountants?|auditors?)\b/
/** Matches "Fern LLP will continue as the Company’s auditor": Fern LLP is the firm that the former auditor joined. */
const GOES_ON =
  /^(?:\s\([^()]{1,80}\))?,?\s(?:will\s)?(?:continues?|serves?|acts?)\s(?:to\s(?:serve|act)\s)?as\s(?:the\sCompany[’']s|our)\s[^.;]{0,60}?(?:accounting firm|accountants?|auditors?)\b/
/** Matches "… from Arthur Andersen LLP to": the name of the new firm follows. */
const TO_NEXT = /^(?:\s\([^()]{1,80}\))?,?\s(?:to|with|by)\s(?:the firm of\s)?$/
/**
 * Words before a firm that is not newly engaged: the filer did not consult the firm, holders ratify the firm, or the
 * firm was already the auditor.
 */
const NO_NEW = /\b(?:not|neither|nor|consult\w*|prior to|before|ratif\w*|since|during)\b[^.;]*$/i
const NO_FORMER = /\b(?:not|neither|nor|prior to|disagreements?)\b[^.;]{0,60}$/i
/** Matches "That firm was dismissed": the rule about this item uses this wording in its examples. */
const THAT_FIRM = /\b(?:that|such|this) firm (?:was dismissed|resigned)\b/i
const WAS_FIRM =
  /\b(?:was|were|has been)\b[^.;]{0,40}\b(?:principal|independent|certifying) [a-z ]{0,40}accountants?\b/i

/** Maximum number of firms in one item. No real item on auditors names this many. */
const FIRMS_MAX = 40
/** Maximum distance at which a word before a firm negates the statement about that firm. */
const HEAD_MAX = 400

/**
 * Maps the names and the defined short names of the firms in an item to their full names: "Deloitte" is Deloitte &
 * Touche LLP.
 */
function firmsIn(sentences: readonly Sentence[]): Map<string, string> {
  const firms = new Map<string, string>()
  for (const { text } of sentences) {
    const plain = text.replace(/\s/g, ' ')
    for (const match of plain.matchAll(NAMED)) {
      if (firms.size >= FIRMS_MAX) return firms
      const firm = match[0].replace(BEFORE_NAME, '')
      firms.set(firm, firm)
      const alias = ALIAS.exec(plain.slice(match.index + match[0].length, match.index + match[0].length + 70))?.[1]
      if (alias && /^\p{Lu}/u.test(alias) && !firms.has(alias)) firms.set(alias, firm)
    }
  }
  return firms
}

/** Returns the longest name of a firm that begins with the given name. */
const fullName = (said: string, firms: ReadonlyMap<string, string>): string =>
  [...firms.values()].reduce(
    (best, firm) => (firm.startsWith(`${said} `) && firm.length > best.length ? firm : best),
    firms.get(said) ?? said,
  )

function mentionsIn(text: string, firms: ReadonlyMap<string, string>): Mention[] {
  const found: Mention[] = [...text.matchAll(NAMED)].map(({ index, 0: said }) => {
    const name = said.replace(BEFORE_NAME, '')
    return { firm: fullName(name, firms), start: index + said.length - name.length, end: index + said.length }
  })
  for (const [alias, firm] of firms) {
    if (alias === firm) continue
    for (let at = text.indexOf(alias); at >= 0; at = text.indexOf(alias, at + alias.length)) {
      const isWord =
        !/[\p{L}\d“"]$/u.test(text.slice(Math.max(0, at - 1), at)) &&
        !/^[\p{L}\d”"&]/u.test(text.slice(at + alias.length, at + alias.length + 2))
      if (isWord && !found.some(({ start, end }) => at < end && at + alias.length > start))
        found.push({ firm, start: at, end: at + alias.length })
    }
  }
  return found.sort((a, b) => a.start - b.start)
}

/**
 * Reads an item on auditors. If the former auditor combined with another firm, the other firm is the new auditor,
 * unless the item states otherwise.
 *
 * @returns the facts of each sentence
 */
export function auditorsIn(sentences: readonly Sentence[]): Fact[][] {
  const firms = firmsIn(sentences)
  const facts = sentences.map((sentence, i) => auditors(sentence, sentences[i - 1], firms))
  const more = combination(sentences, firms, facts.flat())
  return facts.map((own, i) => [...own, ...more.filter(({ start }) => start === sentences[i]!.start)])
}

/**
 * Returns the facts that follow only from the combination of two firms. Returns none if the item does not confirm which
 * firm is the auditor.
 */
function combination(
  sentences: readonly Sentence[],
  firms: ReadonlyMap<string, string>,
  known: readonly Fact[],
): Fact[] {
  const pairs = sentences.flatMap((sentence) => {
    const text = sentence.text.replace(/\s/g, ' ')
    const mentions = mentionsIn(text, firms)
    return mentions.slice(1).flatMap((next, i) => {
      const previous = mentions[i]!
      const between = text.slice(previous.end, next.start)
      if (previous.firm === next.firm) return []
      const isLast = ACQUIRES.test(between)
      if (!isLast && !COMBINES.test(between) && !IS_COMBINED.test(between)) return []
      const [former, latter] = isLast ? [next, previous] : [previous, next]
      const isAuditor = IS_AUDITOR.test(text.slice(former.end, former.end + 200))
      return [{ former: former.firm, latter: latter.firm, isAuditor, day: dayFor(text, previous.start), sentence }]
    })
  })
  const [pair] = pairs
  if (!pair || pairs.some(({ former, latter }) => former !== pair.former || latter !== pair.latter)) return []
  const statedAs = (name: FactName) => known.find((fact) => fact.name === name)?.value
  const [former, latter] = [statedAs('former_auditor'), statedAs('new_auditor')]
  const isLatter = latter === pair.latter || goesOn(sentences, firms, pair.latter)
  const isCertain = (former ?? pair.former) === pair.former && (latter ?? pair.latter) === pair.latter
  if (!isCertain || !(isLatter || pair.isAuditor || former === pair.former)) return []
  const { start, end } = pair.sentence
  const facts: Fact[] = []
  const put = (name: FactName, day: FactName, value: string) => {
    facts.push({ name, value, start, end })
    if (pair.day) facts.push({ name: day, value: pair.day, start, end })
  }
  if (former === undefined) put('former_auditor', 'dismissal_date', pair.former)
  if (latter === undefined && isLatter) put('new_auditor', 'engagement_date', pair.latter)
  return facts
}

const goesOn = (sentences: readonly Sentence[], firms: ReadonlyMap<string, string>, firm: string): boolean =>
  sentences.some(({ text: said }) => {
    const text = said.replace(/\s/g, ' ')
    return mentionsIn(text, firms).some((one) => one.firm === firm && GOES_ON.test(text.slice(one.end, one.end + 240)))
  })

/** @param before the previous sentence; it names the firm that "that firm" means */
function auditors(sentence: Sentence, before: Sentence | undefined, firms: ReadonlyMap<string, string>): Fact[] {
  const text = sentence.text.replace(/\s/g, ' ')
  const mentions = mentionsIn(text, firms)
  const facts: Fact[] = []
  const put = (name: FactName, value: string | null, start = sentence.start) => {
    if (value !== null) facts.push({ name, value, start, end: sentence.end })
  }
  const that = THAT_FIRM.exec(text)
  const earlier = before ? mentionsIn(before.text.replace(/\s/g, ' '), firms) : []
  if (that && before && earlier.length === 1 && WAS_FIRM.test(before.text)) {
    put('former_auditor', earlier[0]!.firm, before.start)
    put('dismissal_date', dayFor(text, that.index))
  }
  for (const [i, { firm, start, end }] of mentions.entries()) {
    const head = text.slice(Math.max(0, start - HEAD_MAX), start)
    const rest = text.slice(end, end + 400)
    const previous = mentions[i - 1]
    const isNext = previous !== undefined && TO_NEXT.test(text.slice(previous.end, start)) && isFormer(text, previous)
    if (isFormer(text, { firm, start, end }) && !NO_FORMER.test(head)) {
      put('former_auditor', firm)
      put('dismissal_date', ownDay(text, { firm, start, end }) ?? (isOfNext(text, start) ? null : dayFor(text, start)))
    } else if (isNext || ((VERB.new.test(head) || AFTER.new.test(rest)) && !NO_NEW.test(head))) {
      put('new_auditor', firm)
      put('engagement_date', dayFor(text, start))
    }
  }
  return facts
}

const isFormer = (text: string, { start, end }: Mention) => {
  const head = text.slice(Math.max(0, start - 240), start)
  return (
    VERB.former.test(head) ||
    VERB.changed.test(head) ||
    AFTER.former.test(text.slice(end, end + 400)) ||
    (/\brelationship\b[^.;]{0,80}\b(?:and|with)\s$/.test(head) &&
      /^[^.;]{0,40}\b(?:ceased|terminated|ended)\b/.test(text.slice(end, end + 80)))
  )
}

const LAST_DAY = new RegExp(`(?:\\b[Oo]n|\\b[Ee]ffective(?: as of| on)?,?|\\b[Aa]s of)\\s${DAY}`, 'g')
/**
 * `LEFT` and `LEFT_ON` match the words before and after a firm: "the resignation of Fern LLP on May 29, 2026", "Fern
 * LLP resigned on May 29, 2026".
 */
const LEFT = /\b(?:resignation|dismissal|termination|departure)\sof\s$/
const LEFT_ON = new RegExp(`^\\s(?:(?:resigned|was dismissed|was terminated)\\s)?on\\s${DAY}`)
const OWN_VERB = /^\s(?:resigned|was)\b/

/** Returns the day on which a former firm left, if the words next to its name give the day. Ignores all other days. */
function ownDay(text: string, { start, end }: Mention): string | null {
  const found = LEFT_ON.exec(text.slice(end, end + 80))
  return found && (OWN_VERB.test(found[0]) || LEFT.test(text.slice(0, start))) ? dayOf(found[1]) : null
}

const ENGAGED = /\b(?:engag(?:ed|ement)|appoint(?:ed|ment)|retained|select(?:ed|ion)|hired)\b/
/**
 * Tests whether the day before the name of the former firm is the day on which the new firm was engaged, as in "Birch
 * LLP, engaged on June 12, replacing Fern LLP".
 */
function isOfNext(text: string, at: number): boolean {
  const day = [...text.slice(0, at).matchAll(LAST_DAY)].at(-1)
  if (!day) return false
  const between = text.slice(day.index + day[0].length, at)
  if (ENGAGED.test(between))
    return /\b(?:following|after|upon|given)\sthe\s(?:resignation|dismissal|departure)\b/.test(between)
  const isOfNew = /\b(?:engag(?:ed|ement)|appoint(?:ed|ment)|retained|select(?:ed|ion)|hired)\b[^.;]{0,90}$/.test(
    text.slice(Math.max(0, day.index - 120), day.index),
  )
  return isOfNew && /^,?\s(?:and\s)?(?:to\s)?(?:replac|succeed|in\s(?:place|lieu)\sof)/.test(between)
}

/** Returns the last day before a position in the text, or else the first day after it. */
const dayFor = (text: string, at: number): string | null =>
  dayOf([...text.slice(0, at).matchAll(LAST_DAY)].at(-1)?.[1]) ?? onDay(text.slice(at))
