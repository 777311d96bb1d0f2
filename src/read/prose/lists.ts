/**
 * Reads lists and tables of persons: "the following persons were appointed as directors:", with one line per person.
 */

/**
 * Words in the last sentence before a list which announce events of the listed persons. Lists of pay are excluded,
 * because they are read line by line.
 */
const INTRODUCES =
  /\b(?:appoint|elect|resign|retire|remove|depart|named|becom|became|cease|step down|will serve|follow(?:ing|s))\w*\b/i
const PAYS =
  /\b(?:salar(?:y|ies)|bonus(?:es)?|awards?|compensation|grants?|options?|shares?|units?|payments?|fees)\b|\$/i
/** Matches a list item, or a row of a table. */
const LINE = /^\s*(?:(?:[-*•·–]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+[^\n]{2,300}|\|[^\n]{3,400}\|)[ \t]*(?=\n|$)/
const LINES_MAX = 40
/** Maximum length of a list; no real list of officers is longer. */
const LIST_MAX = 4_000

/** Returns the end of the list that a sentence introduces; without a list, the end of the sentence. */
export function listedEnd(text: string, start: number, stop: number): number {
  const said = text.slice(start, stop)
  const introduction = said.trimEnd()
  if (!introduction.endsWith(':') || !INTRODUCES.test(introduction.slice(introduction.lastIndexOf('.') + 1)))
    return stop
  if (PAYS.test(said)) return stop
  let end = stop
  for (let lines = 0; lines < LINES_MAX && end - stop < LIST_MAX; lines++) {
    const line = LINE.exec(text.slice(end, end + 500))?.[0]
    if (!line) break
    end += line.length
  }
  return end
}

const blank = (words: string) => ' '.repeat(words.length)

/**
 * Matches words before a list that name the same office for all its persons: "elected the following persons as
 * directors:"
 */
const IN_ONE_OFFICE =
  /\b(?:as\s(?:(?:an?|new|additional|independent|non-employee|outside)\s){0,3}(?:directors?|members?\sof\s(?:the|its|our)\sBoard)|to\s(?:serve\son\s|join\s)?(?:the|its|our)\s(?:Company[’']s\s)?Board)\b[^:;.]{0,60}$/i
/**
 * Matches the text after a person's name in a list whose persons all get the same office: the age, other offices, the
 * committees.
 */
const ABOUT_PERSON =
  /,\s(?:(?:age[d]?\s)?\d{2}(?=[,;.\s])|(?:who|whose|an?|the|former(?:ly)?|current(?:ly)?|previously|retired)\s[^;|\n]{1,300}?(?=;|\.?\s*(?:\n|$)))/g

/** Returns the list as one sentence of the same length, with semicolons between list items and commas between cells. */
export function joinedList(said: string): string {
  const colon = said.indexOf(':\n') < 0 ? said.lastIndexOf(':') : said.indexOf(':\n')
  if (colon < 0 || !said.includes('\n')) return said
  const list = said
    .slice(colon + 1)
    // Blanks out the head of a table, and the line below it.
    .replace(
      /\n(?<!\n[^\S\n]*\n)\s*\|\s*(?:Name|Director|Officer|Individual|Executive|Title|Position)\b[^\n]*/gi,
      blank,
    )
    .replace(/\n(?<!\n[^\S\n]*\n)\s*\|[\s|:-]+(?=\n|$)/g, blank)
    .replace(
      /\n(?<!\n[^\S\n]*\n)(\s*)(?:[-*•·–]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])(?=\s)/g,
      (point) => `;${blank(point.slice(1))}`,
    )
    .replace(/\n(?<!\n[^\S\n]*\n)(\s*)\|/g, (row) => `;${blank(row.slice(1))}`)
    // Blanks out cells with the age or the class of a director.
    .replace(/\|[^\S\n]*(?:[Cc]lass\s)?(?:[IVX]{1,4}|\d{1,4})[^\S\n]*(?=\|)/g, blank)
    .replace(/\|/g, ',')
  const first = list.replace(/^\s*;/, blank)
  return (
    said.slice(0, colon + 1) + (IN_ONE_OFFICE.test(said.slice(0, colon)) ? first.replace(ABOUT_PERSON, blank) : first)
  )
}
