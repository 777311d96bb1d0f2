/**
 * Constructions in which the words of the lexicon report an event: each is a pattern with places for these words, and
 * for the persons next to them.
 */
import { DAY } from '../../../read/prose/dates.ts'
import { CLOSE, OPEN } from '../../../read/prose/sentences.ts'
import { VERB_FORMS, type VerbForm } from './verb-forms.ts'

/** How words name an act. `FRAMES` has the constructions of each voice. */
export const VOICES = [
  ...(['leaves', 'leaves not', 'removes', 'leaves out', 'departure', 'gives'] as const),
  ...(['employment', 'office', 'last', 'until'] as const),
  ...(['appoints', 'decides', 'appointment', 'title', 'begins', 'first', 'succeeds'] as const),
  ...(['exchanges', 'hands', 'gives way', 'falls', 'taken'] as const),
  ...(['instead', 'successor', 'fills', 'in place'] as const),
  ...(['enters', 'enters as', 'will', 'assumes', 'performs', 'agrees'] as const),
] as const
export type Voice = (typeof VOICES)[number]

/**
 * What words need or imply, apart from what their voice needs:
 *
 * - seat: the words imply a seat on the board;
 * - office: the office follows directly, without "as";
 * - move: the office that the person leaves follows directly, and the new office follows after "to";
 * - notice: a person may hand in what the noun names;
 * - person: the person follows directly, since other objects are usual: "added Chief Executive Officer Ada Sample" in a
 *   quotation appoints nobody.
 */
export const NEEDS = ['seat', 'office', 'move', 'notice', 'person'] as const
export type Need = (typeof NEEDS)[number]

/** Returns the source of a pattern for the words of a voice, with their verbs in the given forms. */
type Words = (voice: Voice, forms?: readonly VerbForm[], need?: Need) => string

export interface Frame {
  source: (words: Words) => string
  flags: string
}

/** Placeholder of a person, as `mask.ts` writes it. */
export const P = `${OPEN}\\d{1,4}${CLOSE}`
const HIS = '(?:his|her|their)'
const PERSON = `${OPEN}(\\d{1,4})${CLOSE}`
/** Matches "notice of", "letter of", "pending" before a noun such as "resignation". */
const QUALIFIED = '(?:(?!(?:reasons?|for|from|as|to|in|on|and|or|with)\\b)[a-z-]{2,20},? ){0,5}'
/** Matches "informed the Company of his resignation", but not "as a result of his resignation" */
const OF_HIS = `(?<!\\b(?:result|part|consequence|timing|condition|event|date|time|effectiveness|terms|light|because|case|case of|light of|reason|lieu|purposes|effect|circumstances) )\\b(?:of|announcing|regarding|stating|concerning) ${HIS} ${QUALIFIED}`
/** Matches the words before a list of names: "of two of our directors: Ada Sample". */
const THESE =
  '(?:(?:two|three|four|five|six|its|our|the|all) (?:of (?:its|our|the) )?(?:[a-z-]+ ){0,2}(?:directors|officers|members of (?:the|its|our) [Bb]oard(?: of [Dd]irectors)?)[,:]\\s)?'
const FIRST = `(?=(?:each of )?${P})`

/** Matches "Ada Sample’s employment", with the person in the first group, or "the employment of Ada Sample" (second). */
const EMPLOYMENT = `(?:${PERSON}[’']s? (?:employment|service|tenure)|\\bemployment (?:relationship )?(?:of|with|between the Company and) ${PERSON}(?:,[^.;${OPEN}]{3,180},|,)?)`
/** Matches "will end", "ended", "was terminated": a passive means that the person was removed. */
const ends = (words: Words): string =>
  `((?:(?:will|shall|would) )?(?:be )?${words('employment', ['base', 'third', 'past'])}|(?:was|has been|is being) ${words('employment', ['participle'])})\\b`

const ROLES =
  '(?:functions|duties|responsibilities|positions?|roles?|offices?|titles?|post|job)(?: and (?:functions|duties|responsibilities))?(?: as| of)?'
const NEW = '(?:new |newly created |current |additional |expanded |permanent )*'

/**
 * The frames. The comment of a frame lists the persons and words that its groups capture, in the order of the groups.
 */
export const FRAMES = {
  /** "Ada Sample resigned" */
  leaves: { flags: 'gi', source: (words) => `\\b${words('leaves', VERB_FORMS)}\\b` },
  /** "Ada Sample will not stand for re-election" */
  leavesNot: {
    flags: 'gi',
    source: (words) =>
      `\\b(?:not|nor|neither) (?:(?:to|be|an?|intend to|plan to|will|going to|wish to|currently intend to) )*${words('leaves not', ['base', 'gerund'])}\\b`,
  },
  /** "Ada Sample was removed", "was … and removed" */
  isRemoved: {
    flags: 'gi',
    source: (words) =>
      `\\b(?:was|were|been|be|being) (?:(?:also|subsequently|immediately|involuntarily|thereafter) )?${words('removes', ['participle'])}\\b|(?<=\\b(?:was|were) [^.;${OPEN}]{3,100} and )${words('removes', ['participle'])}\\b`,
  },
  /** "removed Ada Sample", "to terminate the employment of Ada Sample" */
  removes: {
    flags: 'g',
    source: (words) =>
      `\\b(?:${words('removes', ['past'])}|(?:to|did|would) ${words('removes', ['base'])})(?: (?:its|the|all|an) (?:[a-z]+ ){0,3}?(?:relationships?|ties|service) (?:with|of)| (?:[^.;,${OPEN}]{0,60} )?(?:employment|service) of| the employment agreement of)?\\s${FIRST}`,
  },
  /** "decided not to renominate Ada Sample" */
  leavesOut: {
    flags: 'g',
    source: (words) => `\\bnot (?:to )?${words('leaves out', ['base', 'past', 'gerund'])}\\s${FIRST}`,
  },
  /** "tendered his resignation", "informed the Board of his resignation", "submitted, and the Board accepted, his resignation" */
  notice: {
    flags: 'gi',
    source: (words) => {
      const noun = `${words('departure', [], 'notice')}s?`
      const gives = words('gives', VERB_FORMS)
      return [
        `\\b${gives} (?:(?:(?! (?:reasons?|for|after|following|since|upon) )[^.;,${OPEN}]){1,40} )?(?:${HIS} |an? )${QUALIFIED}${noun}(?: letters?)?\\b`,
        `${OF_HIS}${noun}\\b`,
        `\\b${HIS} (?:planned|upcoming|previously announced|anticipated) ${noun}\\b`,
        `\\b${gives},? and (?:the|our|its) [^.;,${OPEN}]{3,60} accepted,? ${HIS} ${QUALIFIED}${noun}\\b`,
      ].join('|')
    },
  },
  /** "the resignation of Ada Sample": the noun */
  nounOf: {
    flags: 'gi',
    source: (words) =>
      `\\b(${words('departure')})s? (?:(?:tendered|submitted|delivered|given) )?(?:of|by|from)\\s${THESE}${FIRST}`,
  },
  /** "letter of resignation (Exhibit 17) from Board member Ada Sample": the noun */
  letterOf: {
    flags: 'g',
    source: (words) =>
      `\\b(?:letters?|notices?) of (${words('departure', [], 'notice')})(?: \\([^()]{3,40}\\))? from (?:(?:the |its |our )?(?:Board|BOD) members? |(?:the |its |our )?[Dd]irectors? )?(?=${P})`,
  },
  /** "Ada Sample’s resignation as Treasurer": the person, the noun */
  nounOfHis: { flags: 'gi', source: (words) => `${PERSON}[’']s? (?:[a-z]+ ){0,2}?(${words('departure')})\\b` },
  /**
   * "the termination of employment on March 31, 2016 of Ada Sample … and on April 30, 2016 of the following officers:
   * …": the day of the first person
   */
  employmentsOf: {
    flags: 'g',
    source: (words) =>
      `\\b${words('departure')} of (?:the )?employment(?: (?:on|effective|effective on|effective as of) ${DAY})? (?:of|with) (?:the following [a-z ]{3,40}: )?(?=${P})`,
  },
  /**
   * "Ada Sample’s employment as Treasurer was terminated": the person (a group for each order of words), the office,
   * the verb
   */
  employmentEnds: {
    flags: 'g',
    source: (words) => `${EMPLOYMENT}((?: (?:with|at|by|in|as)[^${OPEN};.]{3,160}?)?) ${ends(words)}`,
  },
  /** "Ada Sample, whose employment as Treasurer ended", "agreed that her employment will end": person, office, verb */
  whoseEmploymentEnds: {
    flags: 'g',
    source: (words) =>
      `${PERSON}(?:,? whose|,? (?:have |has )?(?:mutually )?agreed that (?:his|her)) (?:employment|service|tenure)((?: (?:with|at|by|in|as)[^${OPEN};.,]{3,100}?)?) ${ends(words)}`,
  },
  /** "agreed to end Ada Sample’s employment as Treasurer": the person */
  endsEmployment: {
    flags: 'g',
    source: (words) =>
      `\\bto ${words('employment', ['base'])} (?:the (?:employment|service) of )?${PERSON}(?:[’']s? (?:employment|service|tenure)\\b|(?= as ))`,
  },
  /** "the position of Ada Sample was eliminated": the person */
  officeOfIsEliminated: {
    flags: 'g',
    source: (words) =>
      `\\b(?:position|role|office) of ${PERSON},? (?:was|were|has been) ${words('office', ['participle'])}\\b`,
  },
  /** "her position as Treasurer was being eliminated": the office */
  hisOfficeIsEliminated: {
    flags: 'g',
    source: (words) =>
      `\\b(?:his|her) (?:position|role|office) as ([^.;${OPEN}]{3,100}?) (?:was|is|has been|had been|will be|would be) (?:being )?${words('office', ['participle'])}\\b`,
  },
  /** "Ada Sample’s last day of employment will be May 1, 2020": the person */
  lastDay: {
    flags: 'g',
    source: (words) =>
      `${PERSON}(?:[’']s?|,? whose) ${words('last')}(?: (?:of|with|at|as|in)[^.;${OPEN}]{3,80}?)? (?:will be|is|was|is expected to be)\\s`,
  },
  /** "Ada Sample served as President and a director until May 1, 2020": the day */
  servedUntil: {
    flags: 'g',
    source: (words) =>
      `\\b${words('until', ['past'])} (?:as|in the (?:role|position) of) (?=[^;${OPEN}]{3,200}? until ${DAY})`,
  },
  /** "appointed Ada Sample", "Ada Sample was appointed" */
  appoints: { flags: 'g', source: (words) => `\\b${words('appoints', ['past', 'participle', 'gerund'])}\\b` },
  /** "agreed to appoint Ada Sample", "voted to increase the number of directors and to elect" */
  toAppoint: {
    flags: 'g',
    source: (words) =>
      `\\b${words('decides', ['past'])}\\s(?:unanimously\\s)?(?:(?:to|that\\s(?:it|the\\s(?:Board|Company))\\s(?:would|will|shall))\\s|to\\s[^.;,${OPEN}]{3,90}?\\sand\\s(?:to\\s)?)${words('appoints', ['base'])}\\b`,
  },
  /** "the appointment of Ada Sample" */
  appointmentOf: { flags: 'g', source: (words) => `\\b${words('appointment')}s?,?\\s(?:of\\s|(?=${OPEN}))` },
  /** "Ada Sample’s appointment as Treasurer": the person */
  appointmentOfHis: { flags: 'g', source: (words) => `${PERSON}[’']s? ${words('appointment')}(?= (?:as|to) )` },
  /** "in connection with her promotion to Treasurer", "upon her promotion to" */
  herAppointment: {
    flags: 'g',
    source: (words) => `\\b(?:[Uu]pon|[Ww]ith|approved) (?:his|her) ${words('appointment')}(?= (?:as|to) )`,
  },
  /** "Ada Sample’s title changed from Treasurer to": the person */
  titleChanges: {
    flags: 'g',
    source: (words) =>
      `${PERSON}[’']s? (?:title|position|role) (?:was |has been |has |will be )?${words('title', ['base', 'past'])} (?:from [^.;${OPEN}]{3,120}? )?to `,
  },
  /** "his employment as Treasurer will commence on May 1, 2020": the person if it is named, the office */
  employmentBegins: {
    flags: 'g',
    source: (words) =>
      `(?:${PERSON}[’']s?|\\b(?:his|her)) (?:employment|service|tenure) as ([^.;${OPEN}]{3,120}?) (?:will |would |shall |is expected to )?${words('begins', ['base', 'third', 'past'])}\\b`,
  },
  /** "Ada Sample’s first day as Treasurer will be May 1, 2020": the person if it is named, the office, the day */
  firstDay: {
    flags: 'g',
    source: (words) =>
      `(?:${PERSON}[’']s?|\\b(?:his|her)) ${words('first')} as ([^.;${OPEN}]{3,120}?) (?:will be|is|was|is expected to be) ${DAY}`,
  },
  /** "Ada Sample will succeed John Sample as Treasurer", "Ada Sample took over from John Sample on May 1, 2020" */
  succeeds: {
    flags: 'g',
    source: (words) =>
      `\\b(?:(?:will|shall|would|is (?:to|expected to|set to)) ${words('succeeds', ['base'])}|${words('succeeds', ['third', 'past'])}|is ${words('succeeds', ['gerund'])})\\s(?:${P}|him|her|them)(?:,?\\s(?:as|in the (?:role|position) of)\\s|(?=[.,;]|$|\\s(?:on|effective|as of|upon|immediately|at)\\s))`,
  },
  /** "to succeed Ada Sample", "replacing Ada Sample", "takes over as Treasurer from Ada Sample": the person who leaves */
  replaces: {
    flags: 'g',
    source: (words) => {
      const finite: readonly VerbForm[] = ['third', 'past', 'participle', 'gerund']
      const all: readonly VerbForm[] = ['base', ...finite]
      return `\\b(?:(?:will|to|shall) ${words('succeeds', ['base'])}|(?:(?:is|are) )?${words('succeeds', finite)}|(?:(?:will|to|shall) )?${words('enters as', all)} as [^.;${OPEN}]{3,120}? from|(?:(?:will|to|shall) )?${words('assumes', all)} the ${ROLES} [^.;${OPEN}]{3,120}? from)\\s${PERSON}`
    },
  },
  /** "appointed Treasurer in place of Ada Sample": the person who leaves */
  insteadOf: { flags: 'g', source: (words) => `\\b${words('instead')}\\s${PERSON}` },
  /** "as her successor", "to succeed him", "to fill that vacancy", "in her stead": the office is named elsewhere */
  asSuccessor: {
    flags: 'g',
    source: (words) => {
      const succeeds = `(?:(?:to|will) ${words('succeeds', ['base'])}|${words('succeeds', ['third', 'past', 'gerund'])}) (?:him|her|them)`
      const ways = [
        `(?:as (?:${HIS}|an?|the|its|${P}[’']s?) ${words('successor')}|${succeeds})\\b(?! (?:as|in)\\b)`,
        `to ${words('fills', ['base'])}\\b`,
        `${words('in place')}\\b`,
      ]
      return `\\b(?:${ways.join('|')})`
    },
  },
  /** "replaced Ada Sample as Treasurer with John Sample": the person who leaves, the office */
  exchanges: {
    flags: 'g',
    source: (words) =>
      `\\b(?:(?:will|to|shall) ${words('exchanges', ['base'])}|${words('exchanges', ['past'])})\\s${PERSON}(?: as ([^.;${OPEN}]{3,120}?))? with\\s(?=${P})`,
  },
  /** "handed over the office of Treasurer to Ada Sample": the office, the person who enters it */
  handsOver: {
    flags: 'g',
    source: (words) =>
      `\\b${words('hands', VERB_FORMS)} (?:his|her|the) ${ROLES} ([^.;${OPEN}]{3,120}?) (?:over |on )?to\\s${PERSON}`,
  },
  /** "gave way to Ada Sample as Treasurer": the person who enters the office */
  givesWay: { flags: 'g', source: (words) => `\\b${words('gives way', VERB_FORMS)}\\s${PERSON}(?=,? as )` },
  /** "the office of Treasurer fell to Ada Sample", "her seat was taken by Ada Sample" */
  fallsTo: {
    flags: 'g',
    source: (words) =>
      `\\b(?:(?:will|shall) ${words('falls', ['base'])}|(?:(?:has|have) )?${words('falls', ['third', 'past', 'participle'])}|(?:was|were|is|are|will be|has been|have been) ${words('taken', ['participle'])} by)\\s(?=${P})`,
  },
  /** "was succeeded as Treasurer by Ada Sample": the office */
  succeededAs: {
    flags: 'g',
    source: (words) => `\\b${words('succeeds', ['participle'])} as\\s([^${OPEN};]{3,120}?)\\sby\\s(?=${P})`,
  },
  /** "stepped down as Treasurer and was succeeded by Ada Sample", "was removed as Treasurer and replaced by" */
  succeededBy: {
    flags: 'g',
    source: (words) =>
      `\\b(?:was|is|will be|has been|(?<=\\b(?:was|were|is|will be|has been) [^.;${OPEN}]{3,100} )and) ${words('succeeds', ['participle'])} (?:in (?:that|such|this) (?:role|position|capacity) )?by\\s(?=${P})`,
  },
  /** "Ada Sample was succeeded as Treasurer by John Sample": the office, the successor */
  isReplaced: {
    flags: 'g',
    source: (words) =>
      `\\b(?:was|were|is|are|will be|has been|is being) ${words('succeeds', ['participle'])}\\s(as\\s[^;${OPEN}]{3,120}?\\s|in\\s(?:that|such|this|the)\\s(?:role|position|capacity|office)\\s(?:of\\s[^;${OPEN}]{3,120}?\\s)?)?by\\s${PERSON}`,
  },
  /** "Ada Sample will serve as", "took over the role of", "joined the Company as", "agreed to serve as" */
  enters: {
    flags: 'g',
    source: (words) => {
      const finite: readonly VerbForm[] = ['base', 'third', 'past', 'participle']
      const [base, gerund] = [words('performs', ['base']), words('performs', ['gerund'])]
      const ways = [
        `(?:will |has )?${words('assumes', finite)} (?:his|her|the|an?|${P}[’']s?) ${NEW}${ROLES}`,
        `(?:will (?:also |now |thereafter )?${base}|(?:has |have )?(?:begun|began) (?:to ${base}|${gerund})|(?<=agreed )to ${base}) the ${NEW}${ROLES}`,
        `(?:(?:will|to) (?:(?:also|now|initially|then|each) )?)?${words('enters as', finite)},? as`,
        `will (?:(?:also|now|initially|then|each) )?${words('will', ['base'])} as`,
        `${words('agrees', ['past'])} to (?:serve|act|join)(?: as|(?= (?:the|our|its) Board))`,
        words('enters', VERB_FORMS),
      ]
      return `\\b(?:${ways.join('|')})\\s`
    },
  },
} satisfies Record<string, Frame>

export type FrameName = keyof typeof FRAMES
