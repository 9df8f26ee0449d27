/** The words of a text, between white space. */
export const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

/** Words that describe any change, or nothing in particular; but names have them, too: `get_issues`, `firstCase`. */
export const vagueWords: ReadonlySet<string> = new Set(
  wordsOf(`
    add added adding adds after all allow allowed allows any avoid bad before between bug case
    cases code different done each ensure every few find first fix fixed fixes get gets getting
    implement implements issue issues keep last less let make makes many more most need new old
    once only prevent problem problems proper same thing things try up usage use used uses using
    various via way work works working
  `),
);

/** Words without meaning for code. */
export const stopWords: ReadonlySet<string> = new Set([
  ...vagueWords,
  ...wordsOf(`
    a about also an and another are as at avoids be because been being better both but by can
    cannot cant correct correctly could couldn did didn do does doesn doesnt don dont during eg
    ensures etc fixing for from good got had has hasn have haven having he her his how i ie if
    implemented in instead into is isn isnt it its just lets like made making may might much
    must my needs no non not now of off on one or other our please preventing prevents properly
    really several she should shouldn since so some still such than that the their them then
    there these they this those through to too tries two upon us very vs want wants was wasn
    ways we were what when where which while who whose why will with without won wont worked
    would wouldn yet you your
  `),
]);

/** Short words that name nothing unless they are in capitals or part of an identifier; many are of other languages. */
export const shortStopWords: ReadonlySet<string> = new Set(
  wordsOf(`
    am au bi co da de di du el en er et ex go hi il im je la le lo me ne ni oh ok ou re se su te tu
    um un us ya zu
  `),
);

/** Words that occur in most files of most programs. */
export const commonWords: ReadonlySet<string> = new Set(
  wordsOf(`
    call called calling calls change changed changes changing check checking checks class classes
    create created creates creating data default disable disables enable enables error errors file
    files function functions handle handled handles handling improve improves line lines method
    methods name names object objects option options remove removed removes removing return returned
    returns run runs set sets setting show shows support supported supports type types update updated
    updates updating user users value values
  `),
);

/** Abbreviations and synonyms that code uses for a word. */
export const abbreviations: ReadonlyMap<string, readonly string[]> = new Map(
  `
    address: addr
    allocate: alloc
    allocation: alloc
    application: app
    argument: arg
    arguments: args arg
    asynchronous: async
    attribute: attr
    attributes: attrs attr
    authentication: auth
    authorization: auth
    boolean: bool
    buffer: buf
    button: btn
    calculate: calc compute
    certificate: cert
    character: char
    characters: char
    command: cmd
    commands: cmd
    config: configuration
    configuration: config conf
    connection: conn
    context: ctx
    crash: panic
    current: cur
    database: db
    declaration: decl
    definition: def
    delete: remove del
    dependencies: dep
    dependency: dep
    destination: dst dest
    development: dev
    directories: dir folder
    directory: dir folder
    document: doc
    environment: env
    error: err
    exception: error
    execute: exec
    expression: expr
    expressions: expr
    extension: ext
    folder: dir
    function: func
    generate: gen
    identifier: ident id
    image: img
    implementation: impl
    index: idx
    information: info
    initialization: init
    initialize: init
    iterator: iter
    javascript: js
    keyboard: key
    length: len
    library: lib
    markdown: md
    maximum: max
    memory: mem
    message: msg
    messages: msg
    minimum: min
    number: num
    operation: op
    package: pkg
    packet: pkt
    parameter: param
    parameters: param
    password: passwd
    pointer: ptr
    position: pos
    previous: prev
    process: proc
    production: prod
    properties: prop
    property: prop
    python: py
    reference: ref
    references: ref
    remove: delete
    repository: repo
    request: req
    response: resp
    sequence: seq
    shortcut: keybind
    source: src
    specification: spec
    statement: stmt
    string: str
    synchronize: sync
    temporary: tmp temp
    transaction: txn tx
    typescript: ts
    utilities: util
    utility: util
    variable: var
    websocket: ws
    window: win
  `
    .trim()
    .split('\n')
    .map(line => {
      const [word = '', forms = ''] = line.trim().split(': ');
      return [word, wordsOf(forms)];
    }),
);
