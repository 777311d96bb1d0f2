/**
 * Patterns of the verbs and nouns that report resignations, retirements and removals, with the persons next to these
 * words.
 */
import { DAY } from '../../../read/prose/dates.ts'
import { OPEN } from '../../../read/prose/sentences.ts'
import { P } from './mask.ts'
import type { OfficerEvent } from './statement.ts'

const HIS = '(?:his|her|their)'
/** Matches "notice of", "letter of", "pending" before a noun such as "resignation". */
const QUALIFIED = '(?:(?!(?:reasons?|for|from|as|to|in|on|and|or|with)\\b)[a-z-]{2,20},? ){0,5}'
/** Matches "informed the Company of his resignation", but not "as a result of his resignation" */
const OF_HIS = `(?<!\\b(?:result|part|consequence|timing|condition|event|date|time|effectiveness|terms|light|because|case|case of|light of|reason|lieu|purposes|effect|circumstances) )\\b(?:of|announcing|regarding|stating|concerning) ${HIS} ${QUALIFIED}`
const GIVES =
  '(?:tender(?:ed|s|ing)|submit(?:ted|s|ting)|deliver(?:ed|s|ing)|announc(?:ed|es|ing)|g[ai]ve(?:n|s)?|provid(?:ed|es|ing)|offered|effected|communicated)'
export const GOES: readonly (readonly [OfficerEvent, RegExp])[] = [
  [
    'retired',
    /\bretir(?:e|es|ed|ing)\b(?! (?:plan|benefit|date|age|agreement|(?:the |its |all |any )?(?:\w{1,20} )?(?:notes|debt|shares|securities)))/gi,
  ],
  ['resigned', /\bresign(?:s|ed|ing)?\b/gi],
  [
    'retired',
    new RegExp(
      `\\b${GIVES} (?:[a-z]+ ){0,3}?${HIS} ${QUALIFIED}retirement\\b|\\b(?:accepted|elected|took|taken) (?:an )?early retirement\\b|${OF_HIS}retirement\\b|\\b${HIS} (?:planned|upcoming|previously announced|anticipated) retirement\\b`,
      'gi',
    ),
  ],
  [
    'resigned',
    new RegExp(
      `\\b${GIVES} (?:(?:(?! (?:reasons?|for|after|following|since|upon) )[^.;,${OPEN}]){1,40} )?(?:${HIS} |a |an )${QUALIFIED}resignations?(?: letters?)?\\b|${OF_HIS}resignations?\\b|\\b(?:tendered|submitted|offered),? and (?:the|our|its) [^.;,${OPEN}]{3,60} accepted,? ${HIS} ${QUALIFIED}resignations?\\b`,
      'gi',
    ),
  ],
  [
    'departed',
    /\bdepart(?:s|ed|ing)?\b(?! from (?:the|its) (?:plan|policy|practice|terms))|\bstep(?:s|ped|ping)? down\b|\bcease[sd]? to (?:serve|be|act|hold|perform(?= the (?:functions|duties) of))\b|\bceasing to (?:serve|be)\b|\bno longer (?:serves?|be employed|employed|be serving|holds?)\b|\b(?:leav(?:e|es|ing)|left) (?:the Company|his (?:role|position|post)|her (?:role|position|post)|our company|the Board|us)\b|\bseparat(?:e|ed|es|ing) from (?:the Company|service|employment|his|her)\b|\brelinquish(?:es|ed|ing)? (?=(?:his|her|their|the) )|\bvacat(?:e|ed|es|ing) (?=(?:his|her|the) )|(?<!\b(?:his|her|their|the|a|an|its|this|in) )\btransition(?:ed|s|ing)? (?:from|out of)\b|\b(?:conclud|end|complet)(?:e|ed|es|ing|s)? (?:his|her|their) (?:employment|service|tenure)\b|\bg[ia]ves? up (?=(?:his|her|the) (?:titles?|positions?|roles?|posts?|offices?) )|\bcease[sd]? serving\b|\bleft the employ(?:ment)? of\b|\bno longer with\b|\bterminated (?:his |her )?employment(?= with (?:the Company|us)\b)|\bwithdr(?:ew|awn|aw) (?:his (?:name|candidacy|consent) |her (?:name|candidacy|consent) )?(?:from consideration |as a (?:nominee|candidate) )?(?:for|from) re-?election\b|\bstep(?:s|ped|ping)? off (?=(?:the|our|its) (?:Company[’']s )?[Bb]oard\b)|\breassigned from\b|\bpart(?:ed|s|ing)? (?:ways|company)\b|\bpass(?:ed|es) away\b|\bdied\b|\bno longer (?:be |is )?(?=(?:the |our |its |a |an )?(?:(?:Company[’']s|interim|acting) )?(?:Chief|President|Vice|Executive|Senior|Treasurer|Secretary|Controller|General Counsel|Chair|a director|director))/gi,
  ],
  [
    'departed',
    /\b(?:not|nor|neither) (?:(?:to|be|intend to|plan to|will|going to|wish to|currently intend to) )*(?:stand|run|standing|running|seek|seeking)(?: for)?(?: re-?election| election| another term)\b|\b(?:declin(?:ed|es|ing)|refus(?:ed|es)) to stand for re-?election\b|\bnot (?:to )?(?:be )?(?:an? )?(?:candidates? for re-?election|re-?nominated|nominated for re-?election|standing for re-?election)\b/gi,
  ],
  [
    'removed',
    /\b(?:was|were|been|be|being) (?:also |subsequently |immediately |involuntarily |thereafter )?(?:terminated|removed|dismissed|discharged|relieved)\b|(?<=\b(?:was|were) [^.;\ue000]{3,100} and )(?:terminated|removed|dismissed|discharged)\b/gi,
  ],
]
export const NOUN = new RegExp(
  `\\b(?:retirement and (?=resignation))?(retirement|resignation|departure|removal|termination|separation|death|passing)s? (?:(?:tendered|submitted|delivered|given) )?(?:of|by|from)\\s(?:(?:two|three|four|five|six|its|our|the|all) (?:of (?:its|our|the) )?(?:[a-z-]+ ){0,2}(?:directors|officers|members of (?:the|its|our) [Bb]oard(?: of [Dd]irectors)?)[,:]\\s)?(?=(?:each of )?${P})`,
  'gi',
)
/** Matches "letter of resignation (Exhibit 17) from Board member Ada Sample" */
export const LETTER = new RegExp(
  `\\b(?:letters?|notices?) of (resignation|retirement)(?: \\([^()]{3,40}\\))? from (?:(?:the |its |our )?(?:Board|BOD) members? |(?:the |its |our )?[Dd]irectors? )?(?=${P})`,
  'g',
)
/**
 * Matches the words before the first name in "the termination of employment on March 31, 2016 of Ada Sample … and on
 * April 30, 2016 of the following officers: …".
 */
export const EMPLOYMENTS = new RegExp(
  `\\btermination of (?:the )?employment(?: (?:on|effective|effective on|effective as of) ${DAY})? (?:of|with) (?:the following [a-z ]{3,40}: )?(?=${P})`,
  'g',
)
export const AND_ON = new RegExp(
  `^[,;]?\\s(?:and )?(?:on|effective|effective on) ${DAY},? of (?:the following [a-z ]{3,40}: )?(?=${P})`,
)
export const OF_NOUN: Readonly<Record<string, OfficerEvent>> = {
  ...({ retirement: 'retired', resignation: 'resigned', removal: 'removed', termination: 'removed' } as const),
  ...({ departure: 'departed', separation: 'departed', death: 'departed', passing: 'departed' } as const),
}
/** Matches "Ada Sample’s resignation as Treasurer" */
export const HIS_NOUN = new RegExp(
  `${OPEN}(\\d{1,4})\uE001[’']s? (?:[a-z]+ ){0,2}?(retirement|resignation|departure|separation|removal|death|passing)\\b(?= (?:as|from) )?`,
  'gi',
)
/** Words before a resignation that the sentence mentions only as a cause or as a time. */
export const CAUSE = /\b(?:vacanc(?:y|ies)|created|caused|resulting|due to|since|prior to|before)\b[^.;]{0,40}$/i
/**
 * Matches words that mention a termination as already known: "in connection with the termination". Another sentence may
 * report the departure.
 */
export const TERMINATED =
  /\b(?:in connection with|as a result of|on account of|related to|relating to) (?:the |his |her |their )?termination$/i
export const VACATED =
  /\b(?:vacanc(?:y|ies)|vacant|vacated|seats?|directorships?|positions?)\b[^.;\ue000]{0,40}\b(?:created|caused|result\w*|due|left|arising|occurring|opened|because|by|following)\b[^.;\ue000]{0,40}$/i
/** Matches the verb of the party that removes a person: "terminated the employment of", "removed … from" */
export const REMOVES = new RegExp(
  `\\b(?:terminated|removed|dismissed|discharged|severed|separated|(?:to|did|would) (?:terminate|remove|dismiss|sever))(?: (?:its|the|all|an) (?:[a-z]+ ){0,3}?(?:relationships?|ties|service) (?:with|of)| (?:[^.;,${OPEN}]{0,60} )?(?:employment|service) of| the employment agreement of)?\\s(?=(?:each of )?${P})`,
  'g',
)
/** Matches "the position of Ada Sample was eliminated" */
export const ELIMINATED = new RegExp(
  `\\b(?:position|role|office) of ${OPEN}(\\d{1,4})\uE001,? (?:was|were|has been) eliminated\\b`,
  'g',
)
/** Matches "that her position as Treasurer was being eliminated" */
export const HIS_ELIMINATED = new RegExp(
  `\\b(?:his|her) (?:position|role|office) as ([^.;${OPEN}]{3,100}?) (?:was|is|has been|had been|will be|would be) (?:being )?eliminated\\b`,
  'g',
)
/** Matches "agreed to end Ada Sample’s employment as Treasurer" */
export const TO_END = new RegExp(
  `\\bto (?:end|conclude) (?:the (?:employment|service) of )?${OPEN}(\\d{1,4})\uE001(?:[’']s? (?:employment|service|tenure)\\b|(?= as ))`,
  'g',
)
/** Matches "decided not to renominate Ada Sample for election" */
export const NOT_NOMINATED = new RegExp(
  `\\bnot (?:to )?(?:re-?nominat(?:e|ed|ing)|nominat(?:e|ed|ing))\\s(?=(?:each of )?${P})`,
  'g',
)
/** Matches "Ada Sample’s employment as Treasurer was terminated", "the employment of Ada Sample … ended" */
export const ENDS = new RegExp(
  `(?:${OPEN}(\\d{1,4})\uE001[’']s? (?:employment|service|tenure)|\\bemployment (?:relationship )?(?:of|with|between the Company and) ${OPEN}(\\d{1,4})\uE001(?:,[^.;${OPEN}]{3,180},|,)?)((?: (?:with|at|by|in|as)[^${OPEN};.]{3,160}?)?) ((?:will |shall |would )?(?:be )?terminates?(?:d)?|(?:was|has been|is being) terminated|(?:will |would )?end(?:s|ed)?|ceased|will cease|concluded|will conclude)\\b`,
  'g',
)
/** Matches "Ada Sample, whose employment as Treasurer ended", "Ada Sample agreed that her employment will end" */
export const WHOSE = new RegExp(
  `${OPEN}(\\d{1,4})\uE001(?:,? whose|,? (?:have |has )?(?:mutually )?agreed that (?:his|her)) (?:employment|service|tenure)((?: (?:with|at|by|in|as)[^${OPEN};.,]{3,100}?)?) ((?:will |shall )?(?:be )?terminates?(?:d)?|(?:was|has been|is being) terminated|(?:will )?end(?:s|ed)?|ceased|concluded)\\b`,
  'g',
)
/** Matches "Ada Sample’s last day of employment will be May 1, 2020", "Ada Sample, whose last day will be" */
export const LAST_DAY = new RegExp(
  `${OPEN}(\\d{1,4})\uE001(?:[’']s?|,? whose) last day(?: (?:of|with|at|as|in)[^.;${OPEN}]{3,80}?)? (?:will be|is|was|is expected to be)\\s`,
  'g',
)
/** Matches "Ada Sample served as President and a director until May 1, 2020" */
export const UNTIL = new RegExp(
  `\\bserved (?:as|in the (?:role|position) of) (?=[^;${OPEN}]{3,200}? until ${DAY})`,
  'g',
)
/** The patterns of departures. A test checks that each of their alternatives has a case that only it explains. */
export const DEPARTS: readonly RegExp[] = [
  ...GOES.map(([, verb]) => verb),
  ...[NOUN, LETTER, EMPLOYMENTS, HIS_NOUN, REMOVES, ELIMINATED, HIS_ELIMINATED, TO_END, NOT_NOMINATED, ENDS, WHOSE],
  ...[LAST_DAY, UNTIL],
]
