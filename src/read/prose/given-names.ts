/**
 * Given names, in lower case. Capitalized words that begin with a given name can be the name of a person. The list has
 * the most common names of the United States since 1940. It also has European, Asian and Latin American names of
 * officers of companies that are listed in the United States. The list omits given names that are also well-known names
 * of firms (Morgan, Wells, Grant, Merrill).
 */
const NAMES = `
aaron abdul abdullah abe abhay abhijit abhinav abhishek abigail abraham achim adalberto adam adele adeline adit aditi aditya
adnan adolfo adolph adrian adriana adrienne agnes agustin ahmed aiden aileen aimee ajay ajit akash akhil akiko akio akira
aksel akshay alain alan alana alastair alba albert alberta alberto albrecht alden aldo alec alejandra alejandro alejo
aleksander aleksandr alessandra alessandro alex alexa alexander alexandra alexandre alexei alexey alexia alexis alfonse
alfonso alfred alfredo algis ali alice alicia alina alison alistair allan allen allison allyn allyson alma alok alon alonzo
alphonse althea alva alvaro alvin alvise alyson alyssa amal amalia amanda amar amarjit ambar amber ambrose amelia amina amir
amit amitabh amjad amnon amol amos amy ana anabel anand anastasia anatoly anders andre andrea andreas andreea andrei andrej
andrew andrey andy angela anika aniket anil anirudh anish anita anjali anjan ankit ankur ann anna anne annette annie anouk
ansel anselm ansley anthony antoine antoinette anton antonella antonia antonina antonio anuj anup anurag aparna april arash
aravind archana archibald archie aref ari aria ariane ariel arik arjan arjun arlan arlen arlene arlie arlin armand armando
armin arnaud arndt arne arno arnold arnon arron arsen artem arthur artie arturo arun arvid arvind aryeh asa asaf asha asher
ashlee ashleigh ashley ashok ashwin ashwini asif asim assaf astrid atul aubrey audrey augie augustine augusto augustus austin
avery avi avinash avner avraham axel axelle ayesha ayman azita aziz babak badri balaji baldwin barak barbara barnett barney
barrie barrington barron barry bart basia basil beata beatrice beatriz becky belinda bella ben benedict bengt benjamin benjy
bennett benny benoit benoy bernadette bernard bernardo bernd bernhard bernice bert bertha bertram bertrand bessie beth bethany
betsy betty beverley beverly bharat bhaskar bhavesh bhavin bianca bill billy birgit birgitta bjarne bjorn blaine blair blake
boaz bob bobbi bobbie bobby bogdan bonita bonnie boris brad bradford bradley brady brandi brandon brandy brannon brant
brantley breck brenda brendan brenna brennan brent brenton bret brett brian brianna brianne brice bridget bridgette brigid
brigitte brion britt britta brittany broderick bronson bronwyn brooke bruce bruna bruno bryan bryant bryce brynn buford burton
byron caitlin caitlyn caleb calvin cameron camilla camille cammie candace candice cara carey carina carl carla carleen carley
carlin carlo carlos carlton carlyle carmela carmen carol carole carolina caroline caroll carolyn carrie carroll carsten cary
casey casimir cassandra cassie catalina cathal catherine cathleen cathrine cathryn cathy cecil cecile cecilia cedric cedrick
celeste celia celine cesar chad chaim chaitanya chandler chandra chandrasekhar chantal charisse charlene charles charley
charlie charlotte charlton chas chelsea cheri cherie cherri cheryl chester chet chiara chirag chitra chloe chris chrissie
chrissy christa christel christen christi christian christiana christiane christie christin christina christine christoph
christophe christopher chrystal chuan chuck ciara cicely cinda cindi cindy claire clare clarence clarissa clark claude
claudette claudia claudine claus clayton clemens clement cleo cleve cliff clifford clint clive clyde cody colby cole coleen
colette coley colin colleen colm concetta connie connor conrad constance constantine consuelo cora corbin cordelia cordell
corey corinna corinne cornelius corrado corrine cort cortney cory courtenay courtney craig cris cristi cristian cristin
cristina cristobal crystal curt curtis curtiss cyndi cynthia cyril cyrus dagmar dahlia daiana daisuke daisy dale dalia damian
damien damion damir damon dan dana dane danelle danette danial danica daniel daniela danielle danilo dannie danny dante daphna
daphne darcy daria darian darin dario darius darla darleen darlene darlyn darnel darnell darrel darrell darren darrick darrin
darryl darryn daryl dashell dashiell dave david davida davide davin davis dawn dawna dean deana deandra deanna deanne deb
debbie debby debi debora deborah debra dede deedee deena deepak deidre deirdre dej delbert delia della delores delphine
demetri demetrios demetrius denice denis denise deniz dennis denny deon derek deric derick derrek derrick desiree desmond
devin devon dewayne dewey dexter dhananjay dhiren dhruv diana diane diann dianna dianne dick didi didier diego dieter dilip
dimitri dimitrios dimitris dina dinesh dino dion dionne dirk divya djamila dmitri dmitriy dmitry dolly dolores domenic
domenico domingo dominic dominick dominique don donal donald donato donavan donn donna donnell donnie donny donovan dora
doreen dori dorian dorinda doris doron dorothea dorothy dorrit dorsey doug dougal douglas dov doyle drew dror duane duncan
dusan dustin dwayne dwight dyan dyana dylan eamon eamonn earl earle earnest eben eberhard ed eddie eddy edgar edith edmond
edmund edna edouard eduard eduardo edward edwin edwina efrain efren egon ehud eiichi eiji eike eileen eitan ekaterina elad
elaina elaine elan elbert eldon eleanor eleanora elena eleni eleonora elfriede eli elia eliana elias elie eliezer elijah elio
eliot eliott elisa elisabet elisabeth elise elisha elissa eliza elizabeth elke ella ellen ellie elliot ellwood elmer elmo
eloise elon elsa elsie elton elva elvin elvira elvis elwood elyse emad emanuel emil emile emilia emiliano emilie emilio emily
emma emmanuel emmanuelle emmet emmett enid enrico enrique enzo eoin ephraim erez erhard eric erica erich erick erik erika erin
erinn erling erma ernest ernestina ernesto ernie ernst errol erskine ervin erwin eryn esmeralda esteban estela estelle esther
esti ethan ethel etienne etta eugene eugenia eugenio eulalia eulogio eunice eva evan evangeline evaristo evelyn evelyne
everett evert evette evie ewan eyal ezequiel ezra fabian fabien fabio fabiola fabrizio fadi fahad faisal faith farah farhad
farid farooq farrah farrukh fatima fawn fay faye federico felecia felica felice felicia felicity felipe felix ferdinand fergus
fernanda fernando ferris fidel fiona flavia flavio florence florencia florian floyd folkert forrest fotis frances francesco
franchesca francine francis francisco franck franco francois francoise frank frankie franklin franklyn frans franz fraser fred
freda freddie freddy frederic frederica frederick frederico frederik fredric fredrick fredrik freida frieda friedrich fritz
fritzi fujio fumio gabriel gabriela gabriele gaby gadi gaetano gail gal galen galina galit ganesh gannon gareth garrett garry
garth gary gaston gaurav gavin gayatri gayle gaylord geeta geetha gemma gena genaro gene genevieve genie gennaro geno geoffrey
georg george georges georgette georgina georgios georgy geraint gerald geraldine gerard gerardo gerd gerda gerhard gerhardt
geri germaine gerold gerrit gerry gerson gert gertrude ghassan giacomo gianluca gianmarco gianni gigi gil gilbert giles gilles
gillian gina gino giorgio giorgos giovanni girish gisela gisele giselle gita giulia giuseppe gladys glen glenda glendon glenn
glenna gloria gloriana glynis glynn godfrey gonzalo gopal goran gordana gordon gordy gottfried govind graciela graeme graham
graydon grazia greer greg gregg greggory gregor gregory greta gretchen grover gudrun guenter guenther guido guilherme
guillermo guiseppe gunnar gunther gur guru gus gustaf gustav gustave gustavo guus guy gwen gwendolyn haejin hagit haim haiyan
hakan hal hala hallie hamed hamid hamish hana hani hank hanna hannah hanne hannelore hannu hans haresh hari hariharan haris
harish harland harley harold harriet harry harshad harshal hartmut haruki harumi harvey harvinder hasan hassan hattie haydn
hayley heather hector hedy heidi heike heikki heiko heinrich heinz helen helena helene helga helge hellen hemang hemant
hendrik henning henri henrietta henrik henrique henry herb herbert herbie heriberto herman hermann hermine herschel hershel
hertha hideki hideo hila hilary hillary hillel hiram hiro hiroaki hirofumi hiroko hironori hiroshi hirotaka hiroyuki hiten
hoang holger holli hollie holly horace horst hoshi hossein howard howie hoyt hubert hugh hugo huma humberto humphrey hussein
hyman iain ian ibrahim ichiro idan ido idris ignacio ignacy ignatius igor iker ikuo ilan ilana ildiko ileana ilene iliana
ilias illya ilona ilse ilya ilyas imad imelda immanuel imran imtiaz inbal indira indra indranil ines inga inge ingmar ingo
ingolf ingrid ingvar inigo ioannis iqbal irena irene irina iris irit irma irv irving irwin isaac isabel isabella isabelle
isadore isaiah isaias isao isha ishaan ishmael isidor isidore isidro ismail isobel isolde issam itai itamar ivan ivana ivor
ivy iwona izabela izzy jacek jacinta jacinto jack jackie jackson jacky jaclyn jacob jacobus jacquelin jacqueline jacquelyn
jacques jacquie jada jae jagan jagdish jaideep jaime jakob jalal jamal james jamey jamie jamil jan jana jancy jane janeen
janek janel janell janelle janessa janet janetta janette janice janie janina janine janis janna janne jannette jared jarek
jari jaroslav jarred jarrett jarrod jarvis jasbir jasmin jasmine jason jaspal jatin javier jawad jay jaya jayant jayanth
jayden jayesh jaymie jayne jaynie jayson jean jeanette jeanie jeanine jeanne jeannette jeannie jeannine jeb jed jedediah jeff
jeffery jeffrey jeffry jehan jelena jelle jemima jen jena jenell jenifer jenine jenna jennefer jenni jennie jennifer jennine
jenny jens jeremiah jeremy jeri jermaine jeroen jerold jerome jerri jerrilyn jerrold jerry jess jessalyn jesse jessica jessie
jesus jiang jianhua jianjun jiaqi jignesh jill jillian jilliann jim jimena jimmy jin jiri jitendra jitesh jitka jo joachim
joan joanie joann joanna joanne joao joaquin jocelyn jocelyne jochen jodee jodi jodie jody joe joel joelle joerg joergen joey
johan johann johanna johanne johannes john johna johnathan johnathon johnnie johnny jolanda joleen jolene jolie jon jonah
jonas jonathan jonathon jone joni jonny joop joost joran jordan jordi jorg jorge jorma jory jose josef josefina joselito
joseph josephine josephus josette josh joshua josie joslyn joss jourdan jovan jovita joy joyce jozef jozsef juan juana juanita
juanito judd judi judit judith judy juergen juha jules julia julian juliana juliane julianna julianne julie julien juliet
juliette julio julissa jun june junichi junko jurgen justin justina justine justus juval jyothi jyoti kaarel kai kaitlin
kaitlyn kaj kaley kali kalpana kalyan kamal kamala kamil kamran kanchan kandi kannan kanwal kara karan karel karen karena kari
karim karin karina karine karl karla karlheinz karol karolina karsten karthick karthik karyl karyn kashif kasia kasper
kassandra kate katerina katharina katharine kathe katherine kathi kathie kathleen kathrin kathrine kathryn kathryne kathy
katie katina katja katrin katrina katsumi katy kaustubh kavita kavitha kay kaye kazuhiko kazuhiro kazuo kazuya kedar keely
keenan kees keiko keira keisha keisuke keith kelley kelli kellie kelly kellye kelsey kelvin kemal ken kendall kendra kendrick
kenichi kenji kenna kenneth kenny kent kenzo kermit kerri kerrie kerry kerstin keshav ketan kevan keven kevin kevyn khaled
khalid khalil khanh khosrow khurram kiana kieran kiernan kiersten kim kimberlee kimberley kimberly kimmie kinga kinjal kinsey
kinya kip kira kiran kirill kirit kirk kirsten kirsti kirstin kirsty kirti kishor kishore kiyoshi kjell klaas klara klaus knut
koichi koji konrad konstantin konstantinos kory kosta kostas kris krisha krishna krishnan krista kristal kristen kristi
kristian kristie kristin kristina kristine kristof kristoffer kristopher krystyna krzysztof kuldeep kumar kumi kunal kurt
kurtis kushal kwame kyle kyoko kyra labeed lacey lachlan ladislav ladonna lael laila lajos lakisha lakshmi lalit lalitha lamar
lamont lana lance lanny lara larisa larissa larry lars larysa laszlo lata latanya latha latoya laura laurel laurelle lauren
laurena laurence laurene laurette lauri laurian laurie laurin lauro lavern laverne lavinia lavonne lawrence lawton layla lazar
leah leander leandra leandro leann leanna leanne lee leeann leela leesa leif leigh leighann leila leith lejla lela leland
lemuel len lena lene lennard lennart lenny leno lenora lenore leo leola leon leona leonard leonardo leonhard leonid leonidas
leonora leontine leopold leroi leroy lesa leslee lesley lesli leslie leslye lester letha leticia letizia letty lev levi levon
lewis leyla liam liana liane libby lidia lieselotte ligia lila lilach lilia lilian liliana liliane lilith lillian lillie lilly
lina linda lindsay lindsey lindy linnea lino linus linwood lionel lior lisa lisabeth lisbeth lise lisette lissa lital liv
livia livio liz liza lizbeth lizette lloyd loic lois lola lon lonnie loren lorena lorenz lorenzo loretta lori lorie lorin
lorinda lorna lorne lorraine lorri lorrie lothar lotte lou louella louis louisa louise lourdes lowell luba lubna luc luca
lucas lucia lucian luciana luciane luciano lucie lucien lucienne lucilla lucille lucinda lucius lucretia lucy ludger ludmila
ludovic ludwig ludwik luella luigi luis luisa luiz lukas lukasz luke lula lupe luther lutz luz lyda lydia lydie lyle lyn lynda
lyndon lyndsay lyndsey lynette lynn lynnae lynne lynnette lynwood lyubov maarten mabel macarena maciej mack mackenzie madalyn
maddalena madelaine madeleine madeline madelyn madge madhav madhavi madhu madhur mads magali magda magdalena magdalene magdy
maggie magnus mahendra mahesh mahmoud mahmud mai maia maik maja majed majid makoto malcolm malgorzata malia malik malka
mallory malvina mamie mamoru manabu mandeep mandip mandy maneesh manfred manish manjiri manjit manju manjula manmohan manoj
manouch mansour manu manuel manuela mao maor mara maral marat marc marcel marcela marcelino marcella marcelle marcello
marcellus marcelo marci marcia marcie marcin marco marcos marcus marcy margaret margarete margarethe margaretta margarita
margaux margery margie margit margo margot margret margrit marguerite mari maria mariah mariam marian mariana mariangela
mariann marianna marianne mariano maribel maribeth maricela marie marieke mariella marietta marika mariko marilee marilyn
marilynn marina marino marinos marinus mario mariola marion marisa mariska marisol marissa marita marites marius marjan
marjorie mark marko markus marla marlena marlene marlies marlin marlis marlon marly marna marni marnie marquis marsha marshal
marshall marta martha marti martie martijn martin martina martine martins marty martyn maruf marva marvin mary maryam maryann
maryanna maryanne marybelle marybeth maryellen maryjo marylou marylyn maryrose marysue masaaki masahiro masaki masako masanori
masashi masato masayuki mason massimo mateo mathew mathias mathieu mathilde matias matilda matilde matsuo matt matteo matthew
matthias matti mattias mattie maud maude maura maureen maurice mauricio maurizia maurizio mauro maury max maximilian
maximiliano maxine maxwell maya mayank maye mayra mayumi mayur mazen meenakshi meera meg megan meghan meghann mehmet meir mel
melania melanie melba melinda meliss melissa mellie mellissa melva melvin menachem mendel meng meredith meredyth meri meriel
merilyn merle merlin merton mervin mervyn meryl mia micaela micah michael michaela michaele michaelene michail michal micheal
michele michelina michelle michiel michiko mick mickey mieczyslaw mietek miguel mihai mihail mihir mikael mike mikhail miki
mikko miklos milagros mildred milena miles milind millard millicent millie milo milos milt milton mina mindy minh minna minnie
minoru mira miranda mirella miriam mirko mirna miroslav miroslava mischa misha missy misti mitch mitchel mitchell mitsuo
mitsuru mitzi mohamed mohammad mohammed mohan mohandas mohinder mohit mohsen mohsin moira moises moiz mollie molly mona monica
monique mordecai mordechai morey moritz morrie mort moses moshe moti motoo mousumi muhammad muhammed mukesh mukund murali
muriel murray murtaza mustafa myer mykola myles myra myrna myron myrtle nabeel nabil nachum nada nadav nader nadia nadim
nadine nadja nadya naeem nagesh nahum naim naina najib najla nalini nami nance nanci nancy nandini nandita nanette naoki naoko
naomi naoto narayan narendra naresh narinder nasim nasser nat natalia natalie nataliya natasha nate nathalie nathan nathanael
nathanial nathaniel natividad navdeep naveed naveen navin nazir neal nechama ned neela neelam neeraj neha nehemiah neil neill
nelda nell nella nellie nelly nels nelson neng nereida nestor neta netta neva neville nevin ngoc nicholas nick nicki nickolas
nico nicol nicola nicolaas nicolas nicolaus nicole nicoletta nicolette nidal nidhi niels nienke nigel nik nikesh nikhil niki
nikita nikki niklas nikola nikolai nikolas nikos nilesh nils nimish nimrod nina ninad nino nir niraj niranjan nisha nishant
nisim nissim nita nitesh niti nitin nitya niv noah noam nobuo nobuyuki noe noel noelle noemi nolan nona noora noorali nora
norbert norberto noreen nori norihiko noriko norio norm norma norman normand nuno nuri nuria nurit obed octavio oddvar oded
odell odette odilia ofer ofra ohad okon olaf olav ole oleg oleksandr olen olga olimpia olin oliver oliverio olivia olivier
ollie oluf olusegun omar omer ondrej ophelia oprah oran oren oriana orin orit orla orlando orly ornella orrin orson orval
orville osama osamu osbert oscar oskar osmond oswald oswaldo othmar otho otis otmar otto ove owen ozzie pablo paddy padma
padmini paige paloma pam pamela pankaj panos paola paolo parag parthiv parul pascal pascale pasquale pat patrice patricia
patrick patrik patti pattie patty paul paula paulette pauli paulina pauline paulino paulo pavan pavel pavlos payam payton
pedro peer peggie peggy penelope penina penny pepe percival percy perla perri perrin perrine perry pervez peta petar pete
peter petra petronella petros petter peyton phil philip philipp philippa philippe phillip philo phoebe phuong phylicia phyllis
pia pierluigi piero pierre piers pieter pietro pilar pim piotr pippa piyali piyush pooja poonam prabhakar prabhat prabhu
pradeep pradip prafulla prajakta prakash pramod pranav pranay prasad prasanna prashant prashanth pratap prateek pratik pratima
praveen pravin preeti prem premal prentice preston priscilla pritam pritesh priti priya puneet purnima purushottam purvi quang
quentin quincy quinn quinton rachael rachel rachelle radek radha radhakrishnan radhika radmila radu raelene rafael rafaela
rafal raffaele raffi rafi raghav raghavan raghu ragnar raheel raheem rahul raimund raina rainer raj rajan rajani rajat rajdeep
rajeev rajendra rajesh rajinder rajiv rajnish raju rajvir rakesh rakhi ralf ralph ram ramachandran raman ramana ramanathan
ramani ramasamy ramesh rami ramin ramiro ramon ramona rana ranan rance randa randal randall randell randi randolph randy ranga
rangarajan rani ranjan ranjini ranjit ranveer raoul raphael raphaela raquel rasheed rashid rashmi rasmus ratan rauf raul ravi
ravinder ravindra ray raymond raymonde raymundo rayna reba rebecca rebekah reema refael refugio reg reggie regina reginald
reid reidar reinaldo reiner reinhard reinhold reino rekha remco remi remo remy rena renae renaldo renard renata renate renato
renaud rene renee renita renu reshma reto reuben reuven reva rex reyes reynaldo reza rhea rhett rhian rhoda rhonda rhys ria
riaan rian ricardo riccardo rich richard richelle richie rick rickard rickey ricky rico rigoberto rikki riley rina rinat rino
riordan risa rishabh rishi rita ritchie ritesh ritu ritva riyad rizwan roanne rob robbie robbin robby robbyn robert roberta
roberto robin robina robyn rocco rochelle rocio rod roddy roderick rodger rodney rodolfo rodolphe rodrick rodrigo rodrigue
rogelio roger rogerio rohan rohini rohit rohn roland rolando rolf rolland rollie rollin romain roman romana romano romeo
romesh romina romuald romulo romy ron rona ronald ronan ronda ronell ronen roni ronit ronn ronna ronnie ronny roopa rory rosa
rosalba rosalia rosalie rosalind rosalinda rosalyn rosamond rosana rosann rosanna rosanne rosaria rosario rosaura roscoe rose
roseann roseanne rosella roselle roselyn rosemarie rosemary rosetta roshan roshni rosie rosina rosita roslyn rosmarie ross
rowan rowena rowland roxana roxann roxanne roxie roy rozanne ruben rubin rudi rudiger rudolf rudolph rudra rudy rueben rufus
ruggero rui rupa rupal rupert rupesh russ russel russell ruta rutger ruth ruthann ruthie ruud ryan ryo ryoichi ryuichi saad
saba sabine sabrina sachin sadaf sadanand sadhana sadie safra safwan sagar sagi sahar sahil sai saibal saiful saji sajid
sakari saku sal saleem salil salim sally salman salome saloni salvador salvatore sam samantha samar samara sameer samer sami
samina samir sammy sampath samta samuel sanat sandeep sandi sandip sandra sandrine sandro sandy sanford sangeeta sangita
sanjay sanjeev sanjiv sanna santhosh santi santiago santo santosh sara sarah saralyn saravanan sari sarina sarit sarita sarosh
sasan sascha sasha sashi saskia sathish satinder satish satoru satoshi satya satyajit satyam satyen saul saulo saundra savita
savvas sayed scarlett schuyler scot scott scotty sean searle sebastian sebastiano sebastien seema seiichi seiji selda selena
selim selina selma selwyn semyon senthil serafin serdar serena serg serge sergei sergey sergi sergio sergiu seth seymour
shabnam shafiq shahid shahin shahram shai shaila shailesh shakeel shakil shalabh shaleen shalini shalom shamim shamsul shana
shandra shane shankar shankara shannan shannon shanon shanta shanti shao sharad sharada shari sharif sharla sharlene sharman
sharmila sharon sharri sharyn shashank shashi shaun shauna shawn shawna shawnee shay shaya shayne shea sheela sheena shehzad
sheila shekhar shelby shelia shelley shellie shelly shelton shemaya shep shepard sherene sheri sherif sherilyn sherman sherri
sherrie sherrill sherry sherwin sheryl sheryn shigeki shigeo shigeru shilpa shimon shinichi shinji shinya shirin shirish
shirley shiro shiv shivani shlomi shlomo shmuel shoichi shoji shona shoshana shreekant shreya shri shrikant shripad shruti shu
shuang shubha shuichi shuji shulamit shunji shyam shyamal shyla siamak sibyl sid sidd siddharth siddhartha sidney sidsel
siegfried sieglinde sigal sigfried sigmund sigrid siiri silas silke silvana silvano silvester silvia silvio simcha simeon
simha simin simon simona simone simonetta sina sinan sinead siobhan sivan skye skyler smadar smita snehal socorro sofia sofie
sohail soheil solange soledad solomon somesh sonal sondra sonia sonja sonny sonya sophia sophie soraya soren sorin sotirios
souheil sowmya spencer spiro spyridon spyros sreekanth sreenivas sridevi sridhar srinath srini srinivas sriram srivatsan sriya
stacey stacia stacie stacy stan stanislaus stanislav stanislaw stanley starla stavros steen stefan stefani stefania stefanie
stefano stefanos steffen steffi stella stephan stephane stephani stephania stephanie stephany stephen sterling stevan steve
steven stevie stewart stig stirling stu stuart subbarao subha subhash subhashini subir subodh subramanian subrata subu sudeep
sudha sudhakar sudhanshu sudhir sudip sue suellen sugata suhail suhas sujal sujata sujatha sujit sukanya sukhi suki suleiman
sulochana suman sumeet sumi sumit sumita sumitra sundar sunder suneel suneet sunil sunita suparna suraj suraya surender
surendra suresh surinder surjit surya susan susana susannah susanne sushil sushila sushma susie sutapa suyash suzan suzann
suzanna suzanne suzette suzie suzy svein sven svend svenja svetlana swapna swapnil swati sybil sybille syd syed sylvain sylvan
sylvester sylvia sylvie taavi tadao tadashi tadeusz tahir taiichi taisuke taj takaaki takahiro takako takao takashi takayuki
takeo takeshi takuya tal talal tali talia tallulah talya tamar tamara tameka tami tamika tamiko tammy tamra tanaz tania tanja
tanmay tanveer tanya tapan tapas tara tarek tariq tarun taryn tasha tashia tatiana tatsuo tatsuya tatum tatyana ted teddi
teddy tehmina teodora teodoro terence teresa teressa tereza teri terje terra terrance terrence terri terrill terron terry tess
tessa tetsuo tetsuya thad thaddaeus thaddeus thai thanh theda thelma theo theodor theodora theodore theodoros theresa therese
theresia theron thiago thibault thierry thilo thom thomas thomasina thor thora thorsten thurman thurston tia tiago tianyi tien
tiernan tiffany tilda tillman tilman tim timea timm timmothy timo timothy timur tina tinka tino tiphanie tirath tito titus
tiziana tjark tobi tobias tobin toby tod todd tohru tolga tom tomas tomasz tommaso tommie tommy tong toni tonia tonio tonja
tony tonya tor torben torrey torsten tory toshiaki toshihiro toshiko toshio toshiyuki tova toyoko tracee tracey traci tracie
tracy traude travis treena tremaine trent tresa trevin trevor trey tricia trina trinh trini trish trisha trista tristan
tristram trond troy trudi trudy trygve tsuneo tsutomu tuan tucker tuhin tulsi turgay tushar twila ty tyler tymothy tyne tyra
tyrone tyson tzipi tzvi uday udo ueli ugo ulf ulises ulla ulrich ulrika ulysses uma umair umar umberto umesh unni upendra uri
urmila urs ursel ursula urvashi usha usman uta uttam uwe uzi vaclav vadim vahe vaibhav vaidyanathan val valarie valdis
valentin valentina valentino valeri valeria valerie valery valorie valrie vanda vanessa vanita varghese varsha varun vasant
vasanth vasanthi vasilios vasilis vasily vasu vasudev vaughan vaughn veda veena veikko velda velma vena venetia venkat venkata
venkataraman venkatesh venki venu vera vered verena vergil verlin verlyn verna verne vernell vernice vernie vernon verona
veronica veronika vesa vesna vibha vic vicent vicente vickey vicki vickie vicky victor victoria vidhya vidur vidya vidyasagar
vijay vijaya vijayalakshmi vik vikas vikash vikki vikram viktor viktoria vilas vilhelm ville vilma vimal vimla vina vinay
vinayak vince vincent vincenzo vineet vineeta vinit vinita vinnie vinny vinod vinson viola vipin vipul viral virender virendra
virgil virgilio virginia virginie vishal vishnu vishwas vitali vitaliy vitaly vito vittorio vivek vivi vivian viviana viviane
vivienne vlad vladimir vlasta vojtech volker volodymyr vonda vonnie vuk vyacheslav vyjayanthi wade waheed waldemar walden
waldo waleed walid wallace wallis walt walter walther waltraud wanda wanderley waqar warner warren wassim wayland wayne wei
weiming wen wenche wendel wendell wendy wenzel werner werther wes wesley whitney wiebke wieland wilber wilbur wilburn wiley
wilfred wilfredo wilfrid wilfried wilhelm wilhelmina wilkie will willa willard willem willi william willie willis willy wilma
wilmer wim winford winfried winifred winston witold wojciech wolf wolfgang wolfhart wolfram woodrow woody wyatt xander xavier
xenia xiang xiao xiaobing xiaobo xiaodong xiaofeng xiaohong xiaojun xiaolei xiaoli xiaolin xiaolong xiaoming xiaoyan xiaoyu
ximena xing xiomara xuan xue xun yaakov yacov yadira yael yahya yair yakov yan yana yancey yani yanir yanni yannick yannis yao
yariv yaron yaroslav yash yashwant yasir yasmeen yasmin yasmine yasuhiro yasuo yasushi yasutaka yates yechiel yehoshua yehuda
yehudit yelena yesenia yiannis yifan yigal yimin yitzchak yitzhak yoav yoel yogesh yogi yoichi yoko yolanda yolande yona
yonatan yong yonghong yonit yoram yosef yoshi yoshiaki yoshihiko yoshihiro yoshiki yoshiko yoshinori yoshio yoshiro yosi yossi
yosuke youssef yuan yueh yuen yuhong yuichi yuji yukari yuki yukihiro yukio yulia yuliya yumi yuri yuriy yury yusef yusuf
yusuke yutaka yuval yvan yves yvette yvon yvonne zach zachariah zachary zachery zack zafar zafer zaheer zahid zahir zaid zain
zainab zaki zane zarina zbigniew zeb zebulon zechariah zeeshan zeev zehava zeina zelda zelig zena zenon zev zeynep zhang zhe
zhen zheng zhi zhigang zhihong zhiqiang zia zina zita ziv ziya zoe zohar zoltan zora zoran zsolt zubin zulema zulfiqar zvi
zvonimir zygmunt`

export const GIVEN_NAMES: ReadonlySet<string> = new Set(NAMES.trim().split(/\s+/))
