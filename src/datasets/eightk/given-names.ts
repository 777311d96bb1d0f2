/**
 * Given names, in lower case: a run of capitalized words that begins with one can be a person. The commonest of the United
 * States since 1940 and of the officers of its listed companies, without those by which firms are as well known (Morgan,
 * Wells, Grant, Merrill).
 */
const NAMES = `
aaron abigail abraham adam adrian ahmed aimee akshay alan alana albert alejandro alex alexander alexandra alexis alfred ali
alice alicia alison allan allen allison alok alyssa amanda amber amit amy ana anand anders andre andrea andreas andrew andy
angela anil anita anjali ann anna anne annette annie anthony antonio anup april aravind arjun arlene arnold arthur arun ashley
ashok ashwin audrey barbara barry beatrice becky ben benjamin bernadette bernard beth betsy betty beverly bill billy bob bonnie
brad bradford bradley brandon brenda brendan brent brett brian bridget brooke bruce bryan bryce byron caleb calvin cameron
candice carl carla carlos carmen carol caroline carolyn carrie casey catherine cathy cecilia chad chandra charlene charles
charlie chelsea chen cheryl chris christian christie christina christine christoph christopher chuck cindy claire claudia
clayton clifford clint clyde colette colin colleen connie conrad constance corey cory courtney craig cristina crystal curtis
cynthia dale dana daniel daniela danielle danny darlene darren darrell darryl daryl dave david dawn dean deanna debbie deborah
debora debra deepak deirdre delores denise dennis derek derrick devin diana diane dianne dina dmitri dolores dominic don donald
donna doreen doris dorothy doug douglas duane dustin dwight dylan earl ed eddie eddy edgar edith eduardo edward edwin eileen
elaine eleanor elena eli elias elijah elise elizabeth ellen elliot emanuel emily emma enrique eric erica erik erika erin ernest
ethan eugene eva evan evelyn faith fabrizio fatima felicia felipe felix fernando florence frances francesco francis francisco
frank franklin fred frederic frederick gabriel gabriela gail garrett gary gayle gene geoffrey george gerald geraldine gerard
gilbert gina giovanni girish glen glenn gloria gordon graham greg gregg gregory gretchen guillermo gwen harold harry harvey
hassan hans hector heather heidi helen helene henrik henry herbert herman hiroshi holly hugh ian ibrahim ignacio igor ingrid
irene irwin isaac isabel ivan jack jackie jackson jacob jacqueline jacques jaime james jamie jan jane janet janice jared jasmine
jason javier jay jayne jean jeanette jeanne jeff jeffery jeffrey jen jenna jennifer jenny jeremy jerome jerry jesse jessica
jesus jill jim jimmy jo joan joann joanna joanne joaquin jodi jody joe joel johan johanna john johnny jon jonathan jordan jorge
jose joseph josephine joshua joy joyce juan juanita judith judy julia julian juliana julie julio jun june justin kamal karen
karin karl karthik katharine katherine kathleen kathryn kathy katie katrina kavita keith kelly ken kenneth kent kerry kevin kim
kimberly kirk kirsten klaus krishna krista kristen kristi kristin kristina kristine kumar kurt kyle lakshmi lance larry lars
latha laura lauren laurence laurie lawrence leah lee leigh leila lena leo leon leonard leonardo leroy leslie lester lewis liam
lillian linda lindsay lindsey lisa liz lloyd lois lorenzo loretta lori lorraine louis louise luca lucas lucia lucy luis luke
luther lydia lynn lynne mahesh malcolm manish manoj manuel marc marcel marcia marco marcus margaret maria marianne marie marilyn
mario marion marissa marjorie mark markus marlene marsha marshall martha martin marvin mary maryann mason matt matthew maureen
maurice max maxwell meg megan mehmet melanie melinda melissa melvin meredith michael micheal michele michelle miguel mike milton
mindy miriam mitchell mohamed mohammad mohit molly mona monica monique mukesh murray myron nadia nancy naomi natalie natasha
nathan nathaniel neal neil nelson nicholas nick nicole nikhil nina noah noel nora norma norman oleg oliver olivia oscar owen
pablo pamela patricia patrick patty paul paula pauline pedro peggy penelope penny perry pete peter phil philip philippe phillip
phyllis pierre pradeep prakash prasad priscilla priya rachel rafael rahul raj rajeev rajesh rajiv ralph ramesh ramona randal
randall randy raul ravi ray raymond rebecca regina reginald rene renee rhonda ricardo richard rick ricky rita rob robert roberta
roberto robin rochelle rod roderick rodney rodrigo roger rohit roland ron ronald rona ronnie rosa rosalind rose rosemary ross
roxanne roy ruben russ russell ruth ryan sabrina sal sally salvatore sam samantha samir samuel sandeep sandra sandy sanjay sanjeev
santiago sara sarah satish satya scott sean sebastian sergei sergey sergio seth shane shannon sharon shaun shawn sheila shelley
shelly shelton sheri sherri sherry sheryl shirley shiv sidney simon simone sonia sophia sophie spencer srinivas stacey stacy
stanley stefan stefano stella stephanie stephen steve steven stewart stuart subramanian sue sumit sundar sunil suresh susan
susanne suzanne suzy sylvia takashi tamara tammy tanya tara ted teresa teri terrence terri terry thaddeus theodore theresa
thomas tiffany tim timothy tina todd tom tommy toni tony tonya tracey traci tracy travis trevor tricia troy tyler ursula
valerie vanessa vera vernon veronica vicki vickie victor victoria vijay vikram vincent viola virginia vivek vivian vladimir
wade wallace walter wanda warren wayne wendy wesley whitney will willard william willie wolfgang xavier yolanda yoram yvette
yvonne zachary zhang`

export const GIVEN_NAMES: ReadonlySet<string> = new Set(NAMES.trim().split(/\s+/))
