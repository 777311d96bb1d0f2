/** Codes of states, provinces and countries by name, as EDGAR and IARD write them. */
import { meantBy } from '../misspelt.ts'

/**
 * EDGAR writes provinces and countries as a letter and a digit; IARD writes provinces as two letters, like postal
 * codes.
 */
const PLACES = `AL Alabama;AK Alaska;AZ Arizona;AR Arkansas;CA California;CO Colorado;CT Connecticut;DE Delaware
DC District of Columbia;FL Florida;GA Georgia;HI Hawaii;ID Idaho;IL Illinois;IN Indiana;IA Iowa;KS Kansas;KY Kentucky
LA Louisiana;ME Maine;MD Maryland;MA Massachusetts;MI Michigan;MN Minnesota;MS Mississippi;MO Missouri;MT Montana
NE Nebraska;NV Nevada;NH New Hampshire;NJ New Jersey;NM New Mexico;NY New York;NC North Carolina;ND North Dakota;OH Ohio
OK Oklahoma;OR Oregon;PA Pennsylvania;RI Rhode Island;SC South Carolina;SD South Dakota;TN Tennessee;TX Texas;UT Utah
VT Vermont;VA Virginia;WA Washington;WV West Virginia;WI Wisconsin;WY Wyoming;AS American Samoa;GU Guam
MP Northern Mariana Islands;PR Puerto Rico;VI Virgin Islands;FM Micronesia;MH Marshall Islands;PW Palau;AA Armed Forces
AE Armed Forces;AP Armed Forces;AB Alberta;BC British Columbia;MB Manitoba;NB New Brunswick;NF Newfoundland
NL Newfoundland and Labrador;NS Nova Scotia;NT Northwest Territories;NU Nunavut;ON Ontario;PE Prince Edward Island;PQ Quebec
QC Quebec;SK Saskatchewan;YT Yukon;XX Unknown;X0 UK;X0 Great Britain;X1 USA
X1 United States;A0 Alberta;A1 British Columbia;A2 Manitoba;A3 New Brunswick;A4 Newfoundland;A5 Nova Scotia;A6 Ontario
A7 Prince Edward Island;A8 Quebec;A9 Saskatchewan;B0 Yukon;Z4 Canada (Federal Level);B2 Afghanistan;Y6 Aland Islands
B3 Albania;B4 Algeria;B5 American Samoa;B6 Andorra;B7 Angola;1A Anguilla;B8 Antarctica;B9 Antigua and Barbuda
C1 Argentina;1B Armenia;1C Aruba;C3 Australia;C4 Austria;1D Azerbaijan;C5 Bahamas;C6 Bahrain;C7 Bangladesh;C8 Barbados
1F Belarus;C9 Belgium;D1 Belize;G6 Benin;D0 Bermuda;D2 Bhutan;D3 Bolivia;1E Bosnia and Herzegovina;B1 Botswana
D4 Bouvet Island;D5 Brazil;D6 British Indian Ocean Territory;D9 Brunei Darussalam;E0 Bulgaria;X2 Burkina Faso
E2 Burundi;E3 Cambodia;E4 Cameroon;E8 Cape Verde;E9 Cayman Islands;F0 Central African Republic;F2 Chad;F3 Chile
F4 China;F6 Christmas Island;F7 Cocos (Keeling) Islands;F8 Colombia;F9 Comoros;G0 Congo
Y3 Congo the Democratic Republic of the;G1 Cook Islands;G2 Costa Rica;L7 Cote d'Ivoire;1M Croatia;G3 Cuba;G4 Cyprus
2N Czech Republic;G7 Denmark;1G Djibouti;G9 Dominica;G8 Dominican Republic;H1 Ecuador;H2 Egypt;H3 El Salvador
H4 Equatorial Guinea;1J Eritrea;1H Estonia;H5 Ethiopia;H7 Falkland Islands (Malvinas);H6 Faroe Islands;H8 Fiji
H9 Finland;I0 France;I3 French Guiana;I4 French Polynesia;2C French Southern Territories;I5 Gabon;I6 Gambia;2Q Georgia
2M Germany;J0 Ghana;J1 Gibraltar;J3 Greece;J4 Greenland;J5 Grenada;J6 Guadeloupe;J8 Guatemala;Y7 Guernsey;J9 Guinea
S0 Guinea-Bissau;K0 Guyana;K1 Haiti;K4 Heard Island and Mcdonald Islands;X4 Holy See (Vatican City State);K2 Honduras
K3 Hong Kong;K5 Hungary;K6 Iceland;K7 India;K8 Indonesia;K9 Iran Islamic Republic of;L0 Iraq;L2 Ireland;Y8 Isle of Man
L3 Israel;L6 Italy;L8 Jamaica;M0 Japan;Y9 Jersey;M2 Jordan;1P Kazakstan;M3 Kenya;J2 Kiribati
M4 Korea Democratic People's Republic of;M5 Korea Republic of;M6 Kuwait;1N Kyrgyzstan
M7 Lao People's Democratic Republic;1R Latvia;M8 Lebanon;M9 Lesotho;N0 Liberia;N1 Libyan Arab Jamahiriya
N2 Liechtenstein;1Q Lithuania;N4 Luxembourg;N5 Macau;1U Macedonia the Former Yugoslav Republic of;N6 Madagascar
N7 Malawi;N8 Malaysia;N9 Maldives;O0 Mali;O1 Malta;1T Marshall Islands;O2 Martinique;O3 Mauritania;O4 Mauritius
2P Mayotte;O5 Mexico;1K Micronesia Federated States of;1S Moldova Republic of;O9 Monaco;P0 Mongolia;Z5 Montenegro
P1 Montserrat;P2 Morocco;P3 Mozambique;E1 Myanmar;T6 Namibia;P5 Nauru;P6 Nepal;P7 Netherlands;P8 Netherlands Antilles
1W New Caledonia;Q2 New Zealand;Q3 Nicaragua;Q4 Niger;Q5 Nigeria;Q6 Niue;Q7 Norfolk Island;1V Northern Mariana Islands
Q8 Norway;P4 Oman;R0 Pakistan;1Y Palau;1X Palestinian Territory Occupied;R1 Panama;R2 Papua New Guinea;R4 Paraguay
R5 Peru;R6 Philippines;R8 Pitcairn;R9 Poland;S1 Portugal;S3 Qatar;S4 Reunion;S5 Romania;1Z Russian Federation
S6 Rwanda;Z0 Saint Barthelemy;U8 Saint Helena;U7 Saint Kitts and Nevis;U9 Saint Lucia;Z1 Saint Martin
V0 Saint Pierre and Miquelon;V1 Saint Vincent and the Grenadines;Y0 Samoa;S8 San Marino;S9 Sao Tome and Principe
T0 Saudi Arabia;T1 Senegal;Z2 Serbia;T2 Seychelles;T8 Sierra Leone;U0 Singapore;2B Slovakia;2A Slovenia
D7 Solomon Islands;U1 Somalia;T3 South Africa;1L South Georgia and the South Sandwich Islands;U3 Spain;F1 Sri Lanka
V2 Sudan;V3 Suriname;L9 Svalbard and Jan Mayen;V6 Swaziland;V7 Sweden;V8 Switzerland;V9 Syrian Arab Republic;F5 Taiwan
2D Tajikistan;W0 Tanzania United Republic of;W1 Thailand;Z3 Timor-Leste;W2 Togo;W3 Tokelau;W4 Tonga
W5 Trinidad and Tobago;W6 Tunisia;W8 Turkey;2E Turkmenistan;W7 Turks and Caicos Islands;2G Tuvalu;W9 Uganda;2H Ukraine
C0 United Arab Emirates;X0 United Kingdom;2J United States Minor Outlying Islands;X3 Uruguay;2K Uzbekistan;2L Vanuatu
X5 Venezuela;Q1 Viet Nam;D8 Virgin Islands British;X8 Wallis and Futuna;U5 Western Sahara;T7 Yemen;Y4 Zambia
Y5 Zimbabwe`

const PLACE_CODES = PLACES.split(/[;\n]/).map((line) => ({ code: line.slice(0, 2), name: line.slice(3) }))
const AFTER_STATES = PLACE_CODES.findIndex(({ code }) => code === 'FM')
/** Names of the states and territories of the USA. They come first in the list. */
export const STATE_NAMES: readonly string[] = PLACE_CODES.slice(0, AFTER_STATES).map(({ name }) => name)
const CODES = new Set(PLACE_CODES.map(({ code }) => code))
const BY_NAME = Map.groupBy(PLACE_CODES, ({ name }) => name)

export const isPlaceCode = (code: string) => CODES.has(code)

/** Returns an error message for a wrong code, which suggests the codes of places with that name. */
export function notAPlace(typed: string): string {
  const names = [...BY_NAME.keys()]
  // Two letters begin or end many names, so they are only compared with whole names.
  const meant = typed.length > 2 ? meantBy(typed, names) : names.filter((name) => name === typed.toUpperCase())
  const codes = meant.map(
    (name) =>
      `${BY_NAME.get(name)!
        .map(({ code }) => code)
        .join(' or ')} (${name})`,
  )
  const proposed = codes.length > 0 ? `; did you mean ${codes.join(' or ')}?` : ''
  return `must be a code of a state or country as EDGAR has them, such as NY or A6${proposed}`
}
