/** Components of a generated spine: forms and their shares, items of 8-Ks, words and endings of names. */

/**
 * Form, share of all filings in thousandths, mean number of filers in addition to the first. Shares as of the quarter
 * 2025 Q4.
 */
export const FORMS: readonly (readonly [form: string, share: number, extraFilers: number])[] = [
  ['4', 310, 1],
  ['8-K', 85, 0],
  ['424B2', 75, 0.3],
  ['3', 45, 1],
  ['10-Q', 45, 0],
  ['SC 13G/A', 45, 0.9],
  ['13F-HR', 38, 0],
  ['6-K', 35, 0],
  ['SC 13G', 32, 0.9],
  ['144', 25, 1],
  ['NPORT-P', 24, 0],
  ['D', 24, 0.05],
  ['497', 22, 0],
  ['10-K', 20, 0],
  ['D/A', 14, 0],
  ['FWP', 14, 0.3],
  ['424B3', 13, 0.2],
  ['485BPOS', 11, 0],
  ['497K', 10, 0],
  ['DEFA14A', 9, 0],
  ['SC 13D/A', 9, 1.2],
  ['DEF 14A', 8, 0],
  ['10-D', 8, 0.4],
  ['UPLOAD', 7, 0],
  ['CORRESP', 7, 0],
  ['S-8', 6, 0],
  ['4/A', 6, 1],
  ['424B5', 6, 0],
  ['40-APP', 5, 3],
  ['S-3', 4, 0.5],
  ['S-1/A', 4, 0],
  ['EFFECT', 4, 0],
  ['5', 4, 1],
  ['N-CSR', 4, 0],
  ['10-K405', 4, 0],
  ['X-17A-5', 3, 0],
  ['8-K/A', 3, 0],
  ['20-F', 2, 0],
  ['N-MFP3', 2, 0],
  ['S-1', 2, 0],
  ['10-K/A', 2, 0],
  ['C', 1, 0],
  ['1-A', 0.6, 0],
  ['SC TO-T', 0.4, 1.5],
  ['TA-1', 0.2, 0],
  ['CFPORTAL', 0.1, 0],
]

/** 8-K items, most frequent first. */
export const ITEMS = [
  '9.01',
  '2.02',
  '8.01',
  '7.01',
  '5.02',
  '1.01',
  '5.07',
  '2.03',
  '3.02',
  '5.03',
  '3.01',
  '4.01',
  '1.02',
  '2.01',
  '4.02',
  '1.03',
]

/**
 * Words that thousands of names share, the most frequent first, roughly as in a real quarter. Words near the front are picked
 * more often: the first is in one of sixteen names.
 */
export const WORDS =
  `capital management partners holdings investment group advisors wealth financial credit private global asset income
  opportunities investments ventures equity master offshore mortgage investors international energy real acquisition bank services
  growth estate venture technologies technology solutions life infrastructure opportunity securities associates therapeutics
  insurance strategic strategies funding commercial portfolio advisory street new receivables markets first american municipal debt
  access variable loan finance resources health pharmaceuticals national systems medical united western value digital network media
  communications software industries products foods retail stores motors auto air marine transport logistics realty properties homes
  mutual savings federal community valley river mountain ocean pacific atlantic northern southern eastern central summit pioneer
  liberty heritage legacy premier advanced applied general standard universal quantum fusion vector matrix delta omega alpha sigma
  nova stellar solar lunar polar arctic coral amber crystal diamond silver copper iron steel titanium cobalt lithium carbon hydrogen
  biotech genomics oncology cardio neuro ortho dental optical laser robotics aerospace defense semiconductor micro nano cloud cyber
  secure wireless satellite oil gas power water gold mining data`.split(/\s+/)
export const FIRST_NAMES =
  `john michael david james robert william thomas mark richard scott joseph christopher paul andrew daniel jeffrey matthew brian
  stephen steven charles peter mary linda susan karen nancy lisa anna laura kevin sarah george emma frank julia`.split(
    /\s+/,
  )
/** Endings with their frequencies in twentieths; some follow the number of a fund. */
export const FORM_ENDS = `llc|llc|llc|llc|llc|llc|llc|inc|inc|inc|inc|inc|l.p.|l.p.|lp|lp|ltd|ltd|corp|co`.split('|')
export const FUND_ENDS =
  `fund|fund|fund|fund|trust|trust|fund ii|fund iii|fund iv|series 1|series 2025|series a|offshore fund|master fund|
  ii|iii|2|a series of|management|management|partners`.split(/\|\s*/)
export const SYLLABLES =
  `ba bel bi bor bra cal car ce chan che cla co cor cra da dan de del di dor dun ed el en er es fa fer fi for fra ga gar ge gil go
  gra gro ha hal har hen hi hol hu in is jo ka kel ken ki kin la lan lar le len li lin lo lor lu ma mal man mar mc me mel mer mi min
  mo mon mor na nel ner ni no nor o or os pa par pe per pi pol por pra qui ra ral ran re ri rin ro ron ros ru sa san sch se sel sha
  she si sil so sol son sta ste sto stra su ta tan te ten ter ti tin to ton tor tra tri tu ul ur va van ve ver vi vil vo wa wal we
  wel wi win wo ya zan ze zi zo`.split(/\s+/)
