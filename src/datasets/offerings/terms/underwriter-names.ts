/**
 * Names of underwriters, as covers write them. A cover has several names in a line, without separators, so only a known
 * name shows where the next name begins. Comparisons ignore case, commas, full stops and legal forms.
 */
export const KNOWN: readonly string[] = `
A.G. Edwards; A.G. Edwards & Sons; A.G.P.; A.G.P./Alliance Global Partners; ABCI; ABG Sundal Collier; ABN AMRO; ABN AMRO Rothschild;
AC Sunshine Securities; Academy Securities; Adams Harkness; Adams, Harkness & Hill; Advest; Aegis; Aegis Capital Corp.; Alex. Brown & Sons;
Alexander Capital; Allen & Company; Alliance Global Partners; AmeriVet Securities; Apollo Global Securities; Arctic Securities; ATB Capital Markets;
Avondale Partners; B. Riley FBR; B. Riley Securities; Baird; Banc of America Securities; Banco do Brasil Securities; Bancroft Capital; Barclays;
Barclays Bank; Barclays Capital; Barrington Research; BB&T; BB&T Capital Markets; BBVA; Bear Stearns; Bear, Stearns & Co.; Berenberg; Bernstein;
Blackstone Capital Markets; Blaylock Van; BMO; BMO Capital Markets; BMO Nesbitt Burns; BNP PARIBAS; BNY Capital Markets; BNY Mellon Capital Markets;
BOC International; BOCI; Boenning & Scattergood; BofA Merrill Lynch; BofA Securities; BOK Financial Securities; Boustead Securities; Bradesco BBI;
Brean Capital; Brean Murray, Carret & Co.; Brigantine; Broadpoint; Broadpoint Gleacher; Brookline Capital Markets; Bryan, Garnier & Co.;
BT Alex. Brown; BTG Pactual; BTIG; C.E. Unterberg, Towbin; C.L. King & Associates; Cabrera Capital Markets; Canaccord; Canaccord Adams;
Canaccord Genuity; Cantor; Cantor Fitzgerald; Cantor Fitzgerald & Co.; Capital One Securities; Capital One Southcoast; Carnegie; CastleOak Securities;
Cathay Securities; Chardan; Chardan Capital Markets; Charles Schwab & Co.; Chase H&Q; China International Capital Corporation; China Renaissance; CIBC;
CIBC Capital Markets; CIBC Oppenheimer; CIBC World Markets; CICC; Citi; Citigroup; Citigroup Global Markets; Citizens Capital Markets; Citizens JMP;
Clarksons Platou Securities; Clear Street; CLSA; CMB International; CMBI; Cohen & Company Capital Markets; Collins Stewart; Comerica Securities;
Commerzbank; Compass Point; Cormark Securities; Cowen; Cowen & Co.; Cowen and Company; Craft Capital Management; Craig-Hallum; Craig-Hallum Capital;
Craig-Hallum Capital Group; Credit Agricole CIB; Credit Lyonnais Securities; Credit Suisse; Credit Suisse First Boston; Credit Suisse Securities;
CRT Capital Group; Cruttenden Roth; CS First Boston; D. Boral Capital; D.A. Davidson; D.A. Davidson & Co.; Dain Bosworth; Dain Rauscher Wessels;
Daiwa Capital Markets; Daiwa Capital Markets America; Dawson James Securities; Dean Witter Reynolds; Desjardins Capital Markets;
Deutsche Banc Alex. Brown; Deutsche Bank; Deutsche Bank Alex. Brown; Deutsche Bank Securities; DLJdirect; DNB Carnegie; DNB Markets;
Dominari Securities; Donaldson, Lufkin & Jenrette; Dougherty & Company; Dresdner Kleinwort; Dresdner Kleinwort Benson; Dresdner Kleinwort Wasserstein;
Drexel Hamilton; E*OFFERING; E*Trade Securities; EarlyBirdCapital; EF Hutton; EF Hutton, division of Benchmark Investments; Eight Capital;
Epoch Partners; Evercore; Evercore Group; Evercore ISI; FBR; FBR Capital Markets; Fearnley Securities; Feltl and Company; Ferris, Baker Watts;
Fidelity Brokerage Services; Fidelity Capital Markets; Fifth Third Securities; First Albany Capital; First Union Capital Markets;
First Union Securities; FleetBoston Robertson Stephens; Freedom Capital Markets; Friedman Billings Ramsey; Friedman, Billings, Ramsey & Co.; Futu;
GF Securities; Gilford Securities; Gleacher & Company; Global Hunter Securities; GMP Securities; Goldman Sachs; Goldman, Sachs & Co.;
Great Pacific Securities; Griffin Financial Group; Guggenheim; Guggenheim Securities; GunnAllen Financial; H.C. Wainwright & Co.;
Haitong International; Hambrecht & Quist; Haywood Securities; Houlihan Lokey; Hovde; Hovde Group; HSBC; HSBC Securities; Huatai Securities;
Huntington Capital Markets; I-Bankers Securities; ICBC International; Imperial Capital; ING; Interstate/Johnson Lane; Itaú BBA; J.C. Bradford & Co.;
J.P. Morgan; J.P. Morgan Securities; Janney; Janney Montgomery Scott; Jefferies; Jefferies & Co.; Jefferies & Company; Jesup & Lamont; JMP;
JMP Securities; Johnson Rice; Johnson Rice & Company; Jones; JonesTrading; Joseph Gunnar & Co.; Joseph Stone Capital; Josephthal & Co.; JPMorgan; KBW;
Keefe Bruyette & Woods; Keefe, Bruyette & Woods; Keefe, Bruyette & Woods A Stifel Company; Kempen & Co; KeyBanc; KeyBanc Capital Markets;
Kidder, Peabody & Co.; Kingswood; Kingswood Capital Markets; Kingswood Capital Partners; Kingswood Investments; KKR; KKR Capital Markets; Ladenburg;
Ladenburg Thalmann; Ladenburg Thalmann & Co.; Laidlaw & Company; Lake Street; Lake Street Capital Markets; Laurentian Bank Securities; Lazard;
Lazard Capital Markets; Lazard Freres & Co.; Leerink; Leerink Partners; Leerink Swann; Legg Mason Wood Walker; Lehman Brothers; LifeSci Capital;
LionTree; Loop Capital; Loop Capital Markets; Lucid Capital Markets; LUMA Securities; Macquarie; Macquarie Capital; Maxim; Maxim Group;
McDonald Investments; Merrill Lynch; Merrill Lynch & Co.; Merriman; Merriman Curhan Ford & Co.; MFR Securities; Mischler Financial Group;
Mitsubishi UFJ Securities; Mizuho; Mizuho Securities; Moelis & Company; MoffettNathanson; Monroe Financial Partners; Montgomery Securities;
Moomoo Financial; Morgan Joseph & Co.; Morgan Joseph TriArtisan; Morgan Keegan; Morgan Keegan & Company; Morgan Stanley; Morgan Stanley & Co.; MUFG;
Multi-Bank Securities; National Bank Financial; National Bank of Canada Financial Markets; National Securities; NationsBanc Montgomery Securities;
Natixis; Needham; Needham & Co.; Needham & Company; Network 1 Financial Securities; Newbridge Securities; Nikko Securities; Nomura; Nomura Securities;
Nordea; Northland Capital Markets; Northland Securities; Oppenheimer; Oppenheimer & Co.; Pacific Century Securities; Pacific Crest Securities;
PaineWebber; Pali Capital; Paradigm Capital; Pareto Securities; Paulson Investment Company; Penserra Securities; Perella Weinberg Partners;
Performance Trust Capital Partners; PI Financial; Pickering Energy; Piper & Marbury; Piper Jaffray; Piper Sandler; Piper Sandler & Co.; PJT Partners;
PNC Capital Markets; Polaris Advisory Partners; Prime Number Capital; Prudential Securities; Punk, Ziegel & Company; R. Seelaus & Co.;
R.F. Lafferty & Co.; Rabo Securities; Ramirez & Co.; Rauscher Pierce Refsnes; Raymond James; RBC; RBC Capital Markets; RBC Dain Rauscher;
Regions Securities; Revere Securities; Robert W. Baird & Co.; Roberts & Ryan; Robertson Stephens; Robertson, Stephens & Company; Robinhood;
Robinhood Financial; Rodman & Renshaw; Rosenblatt; Roth; Roth Capital; Roth Capital Partners; Rothschild & Co; Ryan Beck & Co.; Salomon Brothers;
Salomon Smith Barney; Samuel A. Ramirez & Company; Sanders Morris Harris; Sandler O’Neill & Partners; Sandler O’Neill + Partners; Santander;
Scotia Capital; Scotiabank; Seaport Global; Seaport Global Securities; SEB; SG Americas Securities; SG Cowen; Siebert Williams Shank; Simmons;
Simmons & Company International; SMBC Nikko; Smith Barney; Societe Generale; Société Générale; SoFi; SoFi Securities; SoundView Technology Group;
Southwest Securities; Spartan Capital Securities; Stephens; Stephens Inc.; Sterne Agee; Stifel; Stifel GMP; Stifel Nicolaus; Stifel Nicolaus Weisel;
SunTrust; SunTrust Robinson Humphrey; Susquehanna Financial Group; SVB Leerink; SVB Securities; TCBI Securities; TD Cowen; TD Securities;
Telsey Advisory Group; Texas Capital Securities; The Benchmark Company; ThinkEquity; ThinkEquity Partners; ThinkPanmure; Thomas Weisel;
Thomas Weisel Partners; Tiger Brokers; Tiger Securities; Tigress Financial Partners; Titan Partners; Titan Partners Group; TPG Capital BD; Truist;
Truist Securities; Tudor Pickering; Tudor, Pickering, Holt & Co.; Tuohy Brothers; U.S. Bancorp Piper Jaffray; UBS; UBS BB; UBS Investment Bank;
UBS Securities; UBS Warburg; UniCredit Capital Markets; Univest Securities; Unterberg Harris; US Tiger Securities; Valuable Capital;
Van Lanschot Kempen; ViewTrade Securities; Volpe Brown Whelan & Company; Wachovia Securities; Wainwright; Webull Financial; Wedbush; Wedbush PacGrow;
Wedbush Securities; Wells Fargo Securities; Wessels, Arnold & Henderson; WestLB; WestPark Capital; Wheat First Butcher Singer; William Blair;
William Blair & Company; Wit Capital; Wolfe | Nomura Alliance; WR Hambrecht + Co; WR Securities; Wunderlich Securities; XP Investments; Yamaichi;
Zions Capital Markets;
`
  .split(';')
  .map((name) => name.trim())
  .filter((name) => name !== '')
