/**
 * Given names, in lower case: a run of capitalized words that begins with one can be a person. The commonest of the United
 * States since 1940, and of Europe, Asia and Latin America among the officers of its listed companies, without those by which
 * firms are as well known (Morgan, Wells, Grant, Merrill).
 */
const NAMES = `
aaron abdul abdullah abigail abraham adam adele adeline adrian adriana adrienne agnes ahmed aiden aileen aimee akira aksel
akshay alain alan alana alba albert alberto alec alejandra alejandro aleksandr alessandra alessandro alex alexander alexandra
alexandre alexei alexey alexia alexis alfonso alfred ali alice alicia alison alistair allan allen allison allyson alok alonzo
alvaro alvin alyssa amanda amar amber amelia amir amit amitabh amy ana anand anastasia anatoly anders andre andrea andreas
andreea andrei andrej andrew andrey andy angela anika anil anish anita anjali anjan ann anna anne annette annie anouk ansel
anthony antoine antoinette anton antonella antonia antonio anuj anup aparna april aravind archana ari ariel arjan arjun arlen
arlene arnaud arno arnold arthur arun arvind asa asha ashley ashok ashwin asif astrid atul audrey augusto austin avery avi axel
ayesha babak barbara barney barry bart basil beata beatrice becky bella ben benedict bengt benjamin benoit bernadette bernard
bernd bernhard bert bertrand beth betsy betty beverly bianca bill billy blaine bob bobby bonita bonnie boris brad bradford
bradley brady brandi brandon brant brenda brendan brent brenton bret brett brian brianna bridget brigitte britt bronwyn brooke
bruce bruno bryan bryant bryce burton byron caleb calvin cameron camilla camille candice carey carina carl carla carlo carlos
carlton carmela carmen carol carolina caroline carolyn carrie carsten cary casey cassandra catherine cathy cecil cecile cecilia
cedric celeste cesar chad chaim chandler chandra chantal charlene charles charlie charlotte chelsea cheryl chester chiara chloe
chris christa christel christian christiane christie christina christine christoph christophe christopher chuck ciara cindi
cindy claire clare clarence clark claude claudia claus clayton clement cliff clifford clint clyde cody colby cole colette colin
colleen colm concetta connie connor conrad constance constantine cora cordell corey corinne cornelius cory courtney craig
cristian cristina crystal curtis cynthia cyrus daisy dale damian damien damon dan dana dane danica daniel daniela danielle
danilo danny daphne daria darin dario darius darlene darnell darrell darren darryl darryn daryl dashiell dave david davide dawn
dawna dean deanna deanne deb debbie debi debora deborah debra deena deepak deidre deirdre delia della delores demetrius denise
deniz dennis denny deon derek derrek derrick desiree desmond devin devon dexter diana diane dianne dick didier diego dieter
dilip dimitri dina dirk dmitri dolores domenic domenico dominic dominick dominique don donal donald donna donny dora doreen
dori dorian doris dorothea dorothy doug dougal douglas drew duane duncan dustin dwight dylan earl earle ed eddie eddy edgar
edith edmond edmund edna eduard eduardo edward edwin edwina efrain eileen eitan ekaterina elaina elaine eleanor elena eleni eli
elia elias elijah eliot elisa elisabeth elise elisha elissa elizabeth ella ellen ellie elliot elmer eloise elsa elton elvira
emanuel emil emilia emilie emilio emily emma emmanuel emmett enid enrique enzo ephraim eric erica erich erick erik erika erin
ernest ernesto ernst ervin esteban estelle esther ethan etienne eugene eugenia eugenio eva evan evangeline evelyn evelyne
everett ezra fabian fabio fabrizio faith farah farhad farid fatima fay federico felicia felicity felipe felix ferdinand fergus
fernando fiona flavia flavio florence floyd forrest frances francesco francine francis francisco francois francoise frank
frankie franklin fraser fred frederic frederica frederick frederik friedrich fritz gabriel gabriela gabriele gaetano gail
galina galit gareth garrett garry garth gary gaston gaurav gavin gayatri gayle geetha gemma gene genevieve geoffrey georg
george georges georgina geraint gerald geraldine gerard gerhard geri gerry giacomo gianluca gianni gil gilbert gilles gina gino
giorgio giovanni girish giulia giuseppe glen glenda glenn gloria goran gordana gordon graciela graeme graham greg gregg gregor
gregory greta gretchen guido guillermo gunnar gunther gus gustav gustavo guy gwen gwendolyn haim hakan hal hala hanna hannah
hanne hans hari haris harish harley harold harriet harry haruki harvey hasan hassan hayley heather hector hedy heidi heike
heinrich heinz helen helene hemant hendrik henri henrietta henrik henry herb herbert heriberto herman hermann hila hilary
hillary hiroaki hiroshi hiroyuki holger holly horace horst howard hubert hugh hugo humberto iain ian ibrahim ignacio ignatius
igor ilan ileana ilya imran indra ines inga inge ingo ingrid irene irina iris irving irwin isaac isabel isabella isabelle
isaiah ismail isobel ivan ivana ivor ivy iwona izabela jacinta jack jackie jackson jacky jaclyn jacob jacqueline jacquelyn
jacques jada jagdish jaime jakob jamal james jamie jan jana jancy jane janelle janet janette janice janie janine jared jari
jarrod jarvis jasmin jasmine jason javier jawad jay jaya jayant jayesh jayne jean jeanette jeanne jed jeff jeffery jeffrey
jeffry jelena jen jenifer jenna jenni jennie jennifer jenny jens jeremy jeri jeroen jerold jerome jerrold jerry jess jesse
jessica jessie jesus jill jillian jim jimena jimmy jin jitendra jo joachim joan joanie joann joanna joanne joaquin jocelyn
jochen jodi jodie jody joe joel joey johan johann johanna johannes john johnnie johnny jolene jon jonas jonathan jonathon joni
joop joost jordan jordi jorg jorge jose josef josefina joselito joseph josephine josh joshua joss jourdan joy joyce jozef juan
juanita judd judi judit judith judy juergen jules julia julian juliana julie juliet juliette julio jun june jurgen justin kai
kamal kamala kamil karan karen kari karim karin karina karl karla karol karolina karthik karyn kate katerina katharina
katharine katherine kathi kathie kathleen kathrin kathrine kathryn kathy katie katja katrin katrina kavita kay kaye keiko
keisha keith kelley kelli kellie kelly kelvin ken kendall kendra kenji kenneth kent kerri kerrie kerry kevin kieran kiersten
kim kimberly kip kiran kirit kirk kirsten kirstin kirsty kjell klara klaus konrad konstantin kris krishna krishnan krista
kristen kristi kristian kristie kristin kristina kristine kristof kristopher krystyna kumar kunal kurt kyle kyra lacey laila
lakshmi lana lance lara larissa larry lars lata latha laura laurel lauren laurence lauri laurie laverne lawrence layla leah
leandro leann leanne lee leif leigh leila leland len lena lene lenny lenore leo leon leonard leonardo leonid leonidas leonora
leopold leroy lesley leslie leslye lester leticia lev levi lewis liam liana lidia lilian liliana lillian lilly lina linda
lindsay lindsey lindy linus lionel lisa lise lisette livia liz liza lizette lloyd lois lola lonnie loren lorena lorenzo loretta
lori lorin lorna lorne lorraine lou louella louis louisa louise lowell luc luca lucas lucia luciana luciano lucie lucien
lucille lucinda lucy ludovic ludwig luigi luis lukas luke luther lutz lydia lyle lyn lynda lynette lynn lynne lynnette mabel
mack madeleine madeline mads magda magdalena maggie magnus mahesh mahmoud malcolm malka mandy manfred manish manoj manu manuel
mara marc marcel marcella marcello marcelo marci marcia marcin marco marcos marcus marcy margaret margarita margot margret mari
maria mariah mariana marianne mariano maribel marie marika marilyn marilynn mario marion marisa marisol marissa marita marius
marjan marjorie mark markus marla marlene marlin marlon marna marni marsha marshal marshall marta martha martin martina martine
marty martyn marvin mary maryam maryann maryanne maryellen maryjo mason mateo mathew mathias mathieu matias matt matteo matthew
matthias matti mattias maura maureen maurice mauricio maurizio maury max maximilian maxwell maya mayra meg megan mehmet mel
melanie melba melinda melissa mellissa melvin meredith merle mervyn mia micaela micah michael michaela michal micheal michele
michelle mick mickey miguel mikael mike mikhail milena miles milind millicent millie milos milton mina mindy minna mira miranda
miriam miroslav misha mitch mitchel mitchell mohamed mohammad mohit moira moises molly mona monica monique mordechai moritz
mort moses moshe muhammad mukesh muriel murray myles myra myrna myron myrtle nabil nadav nadia nadine nadja nancy nandini
nanette naomi narayan naresh natalia natalie natasha nate nathan nathaniel navin neal ned neela neelam neil nell nella nelly
nelson nestor neville nicholas nick nicola nicolaas nicolas nicole nicoletta nicolette niels nigel nikesh nikhil niki nikita
nikki nikola nikolai nikolas nils nimish nina nir niraj nita nitin noah noam noel nolan nora norbert noreen nori norma norman
nuno oded ofer olaf ole oleg olga olin oliver olivia olivier omar ophelia oren orrin orville osama oscar oswald otis otto ove
owen pablo paige pam pamela paolo parag pat patrice patricia patrick patrik patti patty paul paula paulette paulina pauline
paulo pavan pavel pedro peggy penelope penny percy perla perry petar pete peter petra petros phil philip philipp philippa
philippe phillip phylicia phyllis pia pierre piers pieter piotr piyush prabhakar pradeep prakash prasad prashant praveen
preston priscilla priya purvi quentin quincy quinn rachel radha rafael rafi raghu ragnar rahul rainer raj rajan rajat rajeev
rajesh rajiv raju rakesh ralf ralph ram ramesh ramin ramon ramona randal randall randi randy rani ranjit raphael rashid raul
ravi ray raymond raymundo rebecca reggie regina reginald reid reiner reinhard rena renata renate renato rene renee reuben reva
rex reynaldo rhett rhoda rhonda rian ricardo rich richard richie rick ricky rico rikki riley rina rishi rita ritu rob robbie
robbin robby robert roberta roberto robin robyn rocco rochelle rod roderick rodney rodolfo rodrick rodrigo roger rohan rohit
roland rolando rolf roman romeo romesh romy ron rona ronald ronda ronen roni ronit ronnie ronny roopa rory rosa rosalind
rosanne rosario rose roseanne rosella roselyn rosemary rosie rosina roslyn ross rowan rowena roxana roxanne roy ruben rudi
rudolf rudolph rudy rufus rupert russ russel russell rutger ruth ruthann ryan saad sabrina sachin sadie safra sai sal saleem
sally salvatore sam samantha sameer sami samir sammy samuel sandeep sandi sandra sandy sanford sanjay sanjeev sanjiv santiago
santo santosh sara sarah sarita sascha sasha satish satya saul saundra scot scott scotty sean sebastian seema selena selim
selina selma serena serge sergei sergey sergi sergio seth shai shakeel shalini shana shane shankar shannon sharad shari sharon
shaun shawn shawna shayne sheena sheila shekhar shelby shelley shelly shelton sheri sherif sherman sherri sherrie sherry
sherwin sheryl shimon shirley shiro shiv shlomo shmuel shoshana shreya shyam siddharth sidney sidsel siegfried sigal sigmund
sigrid silvia simeon simon simona simone siobhan skye sofia solomon sondra sonia sonja sonya sophia sophie soren spencer spiro
spyros sridhar srinivas sriram stacey stacy stan stanislav stanley stavros stefan stefani stefanie stefano steffen stella
stephan stephane stephanie stephen sterling stevan steve steven stewart stig stu stuart subhash subodh subramanian sudha sudhir
sue suki sumit sumita sundar sunder sunil sunita suraj surendra suresh susan susana susannah susanne susie suzan suzann suzanna
suzanne suzette suzy sven svetlana swati sybil syd syed sylvia taj takashi tal tamar tamara tameka tami tammy tania tanja tanya
tara tarun tasha tatiana tatyana ted teddy terence teresa teressa teri terrance terrence terri terry tess tessa thad thaddeus
thelma theo theodore theresa therese theresia thierry thom thomas thorsten thurman tia tiago tiffany tilman tim timo timothy
timur tina titus tobias toby todd tom tomas tomasz tommie tommy toni tonia tonja tony tonya tor torben torsten tracey traci
tracie tracy travis trent trevor trey tricia trina trish trisha trond troy trudy tucker twila ty tyler tyrone tyson udo ugo ulf
ulrich ulrika uma umesh uri urs ursula usha uwe vaclav val valentin valentina valeria valerie vanessa vanita vasant vasily
veena velma venkat venkata venkatesh vera verna verne vernell vernon veronica vic vicente vicki vickie vicky victor victoria
vidya vijay vikas vikram viktor viktoria vilma vinay vince vincent vincenzo vinny vinod viola vipul viral virgil virginia
vishal vito vittorio vivek vivian vivienne vlad vladimir volker wade waldo walid wallace walt walter wanda warner warren wayne
wei wen wendell wendy werner wes wesley whitney wilbur wilfred wilfrid wilhelm will willard william willie wilma wim winfried
winifred winston wolf wolfgang woodrow woody wyatt xander xavier xiao xiaoming yael yakov yan yannick yaron yasmin yasuo yehuda
yitzhak yoav yoel yoko yolanda yoram yosef yoshi yossi yuan yuki yukio yulia yuri yusuf yves yvette yvonne zach zachary zack
zane zeev zelda zev zhang zoe zohar zoltan zsolt zubin`

export const GIVEN_NAMES: ReadonlySet<string> = new Set(NAMES.trim().split(/\s+/))
