/** Codes of states and provinces as EDGAR and IARD write them, by name. */
import { meantBy } from '../misspelt.ts'

const STATES = `AL Alabama;AK Alaska;AZ Arizona;AR Arkansas;CA California;CO Colorado;CT Connecticut;DE Delaware
DC District of Columbia;FL Florida;GA Georgia;HI Hawaii;ID Idaho;IL Illinois;IN Indiana;IA Iowa;KS Kansas;KY Kentucky
LA Louisiana;ME Maine;MD Maryland;MA Massachusetts;MI Michigan;MN Minnesota;MS Mississippi;MO Missouri;MT Montana
NE Nebraska;NV Nevada;NH New Hampshire;NJ New Jersey;NM New Mexico;NY New York;NC North Carolina;ND North Dakota;OH Ohio
OK Oklahoma;OR Oregon;PA Pennsylvania;RI Rhode Island;SC South Carolina;SD South Dakota;TN Tennessee;TX Texas;UT Utah
VT Vermont;VA Virginia;WA Washington;WV West Virginia;WI Wisconsin;WY Wyoming;AS American Samoa;GU Guam
MP Northern Mariana Islands;PR Puerto Rico;VI Virgin Islands;FM Micronesia;MH Marshall Islands;PW Palau;AA Armed Forces
AE Armed Forces;AP Armed Forces;AB Alberta;BC British Columbia;MB Manitoba;NB New Brunswick;NF Newfoundland
NL Newfoundland and Labrador;NS Nova Scotia;NT Northwest Territories;NU Nunavut;ON Ontario;PE Prince Edward Island;PQ Quebec
QC Quebec;SK Saskatchewan;YT Yukon;XX Unknown`

const NAMES = new Map(STATES.split(/[;\n]/).map((line) => [line.slice(3), line.slice(0, 2)] as const))
/** Says what is wrong with a code, and which one the name of a state means. */
export function notAPlace(typed: string): string {
  const meant = meantBy(typed, [...NAMES.keys()]).map((name) => `${NAMES.get(name)} (${name})`)
  const proposed = typed.length > 2 && meant.length > 0 ? `; did you mean ${meant.join(' or ')}?` : ''
  return `must be a code of a state or country as EDGAR has them, such as NY or A6${proposed}`
}
