/** States and countries by name, with EDGAR's codes. */

/** Entries of the form `code name`. Omits names that a state and a country share, such as Georgia. */
const CODES = `AL Alabama;AK Alaska;AZ Arizona;AR Arkansas;CA California;CO Colorado;CT Connecticut;DE Delaware
DC District of Columbia;FL Florida;HI Hawaii;ID Idaho;IL Illinois;IN Indiana;IA Iowa;KS Kansas;KY Kentucky;LA Louisiana
ME Maine;MD Maryland;MA Massachusetts;MI Michigan;MN Minnesota;MS Mississippi;MO Missouri;MT Montana;NE Nebraska
NV Nevada;NH New Hampshire;NJ New Jersey;NM New Mexico;NY New York;NC North Carolina;ND North Dakota;OH Ohio;OK Oklahoma
OR Oregon;PA Pennsylvania;RI Rhode Island;SC South Carolina;SD South Dakota;TN Tennessee;TX Texas;UT Utah;VT Vermont
VA Virginia;WA Washington;WV West Virginia;WI Wisconsin;WY Wyoming;PR Puerto Rico;X1 United States
X1 United States of America;X1 USA;X1 US;X1 United States Citizen;X1 US Citizen;X1 USA Citizen;A0 Alberta
A1 British Columbia;A2 Manitoba;A6 Ontario;A8 Quebec;Z4 Canada;A0 Alberta Canada;A1 British Columbia Canada
A2 Manitoba Canada;A6 Ontario Canada;A8 Quebec Canada;C1 Argentina;C3 Australia;C4 Austria;C5 Bahamas;C6 Bahrain
C8 Barbados;C9 Belgium;D0 Bermuda;D5 Brazil;D8 British Virgin Islands;D8 BVI;E9 Cayman Islands;E9 Cayman;F3 Chile;F4 China
F4 Peoples Republic of China;F8 Colombia;G2 Costa Rica;G4 Cyprus;2N Czech Republic;G7 Denmark;H2 Egypt;H9 Finland
I0 France;2M Germany;2M Federal Republic of Germany;J1 Gibraltar;J3 Greece;Y7 Guernsey;K3 Hong Kong;K3 Hong Kong Special Administrative Region;K5 Hungary;K6 Iceland
K7 India;K8 Indonesia;L2 Ireland;Y8 Isle of Man;L3 Israel;L6 Italy;L8 Jamaica;M0 Japan;Y9 Jersey;M5 South Korea
M5 Republic of Korea;M6 Kuwait;N0 Liberia;N2 Liechtenstein;N4 Luxembourg;N8 Malaysia;O1 Malta;1T Marshall Islands
O4 Mauritius;O5 Mexico;O9 Monaco;P7 Netherlands;P8 Netherlands Antilles;Q2 New Zealand;Q5 Nigeria
Q8 Norway;R0 Pakistan;R1 Panama;R5 Peru;R6 Philippines;R9 Poland;S1 Portugal;S3 Qatar;1Z Russian Federation;1Z Russia
T0 Saudi Arabia;T2 Seychelles;U0 Singapore;T3 South Africa;U3 Spain;V7 Sweden;V8 Switzerland;F5 Taiwan;W1 Thailand
W8 Turkey;C0 United Arab Emirates;X0 United Kingdom;X0 UK;X0 England;X0 England and Wales;X0 Great Britain;X3 Uruguay;X5 Venezuela`

/** Citizens of a country, by the adjective of its name. */
const CITIZENS = `X1 American;Z4 Canadian;X0 British;L2 Irish;I0 French;2M German;P7 Dutch;V8 Swiss;L6 Italian;U3 Spanish
V7 Swedish;Q8 Norwegian;G7 Danish;J3 Greek;L3 Israeli;M0 Japanese;F4 Chinese;K7 Indian;C3 Australian;D5 Brazilian;O5 Mexican`

const BY_NAME = new Map(
  `${CODES}\n${CITIZENS}`.split(/[;\n]/).map((line) => [line.slice(3).toLowerCase(), line.slice(0, 2)] as const),
)
const FORMS =
  '(?:limited (?:liability )?partnership|general partnership|limited liability company|(?:business |statutory )?trust|corporation|company|citizen)'
const FORM = new RegExp(` ${FORMS}$`)

/**
 * Returns the code of a state or country if the text is only its name; a state may be followed by its country. Else
 * returns null.
 */
export function placeCode(text: string): string | null {
  const name = text
    .toLowerCase()
    .replace(/['’.,:]/g, (sign) => (sign === ',' || sign === ':' ? ' ' : ''))
    .replaceAll(' - ', ' ')
    .replace(/ & /g, ' and ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:an? |the )?(?:(?:state|commonwealth) of )?/, '')
    .replace(FORM, '')
    .replace(/^(cayman islands|british virgin islands|bermuda) (?:bwi|british west indies)$/, '$1')
  const own = BY_NAME.get(name)
  if (own !== undefined) return own
  const state = BY_NAME.get(name.replace(/ (?:usa|us|united states(?: of america)?)$/, ''))
  return state !== undefined && /^[A-Z]{2}$/.test(state) ? state : null
}
