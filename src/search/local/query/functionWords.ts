import { stopWords, wordsOf } from './vocabulary';

/** Words of one language that name nothing, with and without accents where they are often typed so. */
interface FunctionWords {
  /** Words of no other language and of no code: they tell the language. */
  readonly own: ReadonlySet<string>;
  /** With those that are words of English or of code as well, such as `die` and `des`. */
  readonly all: ReadonlySet<string>;
}

const language = (own: string, shared: string): FunctionWords => ({
  own: new Set(wordsOf(own)),
  all: new Set(wordsOf(`${own} ${shared}`)),
});

const languages: readonly FunctionWords[] = [
  language(
    `
    aber andere anderen auch befindet beim bevor bzw danach dass diese diesem diesen dieser dieses
    duerfen durch dürfen eine einem einen einer eines fuer für gegen gibt haben ihre ihren ist jede jeden jeder jedes kann
    kein keine keinen koennen können könnte muss müssen nach nachdem nicht noch oder ohne passiert schon
    sein seine sich sind sobald soll sollen sollte sondern sowie ueber über und unter vom von warum
    weil welche welchem welchen welcher welches wenn werden wie wieder wird wo wobei wodurch woher
    wohin womit wozu wurde wurden während würde zum zur zwischen
  `,
    `
    ab alle allen als also am an auf aus bei bis da damit dann das dem den der des die ein er es
    findet hat hier ich ihr im in jetzt liegt man mehr mir mit nur ob sie so steht um uns vor
    wann war was wer wir zu
  `,
  ),
  language(
    `
    algunos aunque cada cómo cual cuál cuáles cuando cuándo cuántos desde después dónde donde
    ella ellos encuentra esas esos está están estas este esto estos hace hacen hacia
    hasta los más mientras muy otra otras otro otros pero porque qué quién según sean
    siempre sobre también tiene tienen toda todas todos una unas unos
  `,
    `
    a al antes como con contra cuyo de del durante el en entre era es esa ese eso esta fue ha han hay la las le les
    lo me mi ni no nos o para por que quien se sea ser si sin son su sus te todo tu un y ya
  `,
  ),
  language(
    `
    alors après aucun aucune aussi autres avec avoir ceci cela celle celui ces cette chaque dans
    depuis donc déjà elle elles être été fait faire jusque leur leurs lors lorsque
    mais même où parce pendant peut peuvent pourquoi puis quand quel quelle quelles quels quoi
    selon sera ses sinon sont soit souvent toujours tous toute toutes trouve très une vous
    à ça
  `,
    `
    a ai as au aux avant avait ce ci comme comment contre de des du en entre est et eu il ils je la le
    les lui ma me moins mon ne ni non notre nous on ont ou par pas plus pour qu que qui sa sans se si son sous
    sur te ton tout tu un vers votre y
  `,
  ),
];

const none: ReadonlySet<string> = new Set();

/**
 * The function words of the language that a query is in, in lower case, as {@link stopWords} has those of English.
 * Comments of another language do not have them, but its words contain them.
 * @returns none for a query in English, and where the language is not clear
 */
export function functionWordsOf(query: string): ReadonlySet<string> {
  const words = [
    ...new Set(
      query
        .normalize('NFC')
        .toLowerCase()
        .match(/\p{L}+/gu),
    ),
  ];
  let best = { all: none, count: 1 };
  for (const { own, all } of languages) {
    const count = words.filter(word => all.has(word) && !stopWords.has(word)).length;
    const english = words.filter(word => stopWords.has(word) && !all.has(word)).length;
    const isClear = count > english && words.some(word => own.has(word));
    if (isClear && count > best.count) best = { all, count };
  }
  return best.all;
}
