/** How a language declares names, besides what most languages have in common. */
export interface LanguageRules {
  /** Words before a name, parted by spaces. */
  readonly keywords?: string;
  /**
   * Lines that declare without such a word. The name is the group `name`, or `holder` if it can hold others, or
   * `field` if it is a part of one; or a field is the last word of the group `type`.
   */
  readonly shapes?: readonly RegExp[];
  /** Whether `Function` is `function`. */
  readonly isCaseless?: boolean;
}

/** `typedef int (*parse)(int)`, and `} queue;` after a `typedef struct {`. */
const cTypes: readonly RegExp[] = [
  /^\s*typedef\s[^()]*\([*^](?<name>\w+)\)/du,
  /^\}\s*(?<holder>[a-z_]\w*)\s*;/diu,
];

const objectiveC: readonly RegExp[] = [
  /^\s*[-+]\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?<name>\w+)/du,
  /^\s*@(?:interface|implementation|protocol)\s+(?<holder>\w+)/du,
  /^\s*@property\b[^;]*[\s*](?<field>\w+)\s*;/du,
  /^\s*typedef\s+NS_(?:CLOSED_)?(?:ENUM|OPTIONS)\s*\([^,()]*,\s*(?<holder>\w+)/du,
];

const matlab: readonly RegExp[] = [/^\s*function\s+(?:[^\s=()][^=()]*=\s*)?(?<name>[\w.]+)/du];

/** OCaml, F# and Standard ML. */
const ml: readonly RegExp[] = [
  /^(?:let|and|fun|val)\s+(?:(?:rec|inline|private|internal|public|mutable)\s+)*(?<name>[\p{Ll}_][\w']*)/du,
  // A function: other variables inside of one say less than what they are in.
  /^\s+(?:let|and|fun)\s+(?:(?:rec|inline|private|internal|public)\s+){0,2}(?<name>[\p{Ll}_][\w']*)\s+[\w(~?'][^=]*=/du,
  /^\s*(?:type|and|(?:eq|data|abs)type)\s+(?:(?:nonrec|private|internal|public)\s+)*(?:[+-]?'\w+\s+|\([^()]*\)\s*)?(?<holder>[\p{L}_][\w']*)/du,
  /^\s*(?:module|structure|signature|functor)\s+(?:(?:type|rec|private|internal|public)\s+)*(?<holder>\p{L}[\w'.]*)/du,
  /^\s*exception\s+(?<name>\p{Lu}[\w']*)/du,
  // A constructor, of whose kind there is none before an arrow.
  /^\s*\|\s*(?<field>\p{Lu}[\w']*)\s*(?:of\b|:|\(\*|$)/du,
];

const ocaml: readonly RegExp[] = [
  /^\s*(?:val|external|method)!?\s+(?:(?:mutable|private|virtual)\s+)*(?<name>[\p{Ll}_][\w']*)/du,
  /^\s*class\s+(?:(?:virtual|type)\s+)*(?<holder>[\p{L}_][\w']*)/du,
  ...ml,
];

const fsharp: readonly RegExp[] = [
  /^\s*(?:(?:static|abstract|internal|private|public)\s+)*(?:member|override|default|abstract)\s+(?:(?:val|inline|private|internal|public)\s+)*(?:\w+\.)?(?<name>[\p{L}_]\w*)/du,
  /^\s*(?:static\s+)?val\s+(?:mutable\s+)?(?<name>[\p{L}_]\w*)/du,
  ...ml,
];

const haskell: readonly RegExp[] = [
  /^(?:data|newtype|type|class) +(?:(?:family|instance) +)?(?:[^ =][^=]*=> *)?(?<holder>\p{L}[\w']*)/du,
  /^\s*(?:[,{]\s*)?(?<name>[\p{Ll}_][\w']*)(?:\s*,\s*[\p{Ll}_][\w']*)*\s+::\s/du,
  /^(?!(?:import|instance|deriving|where|module|foreign|infix)\b)(?<name>[\p{Ll}_][\w']*)(?:\s[^=:]*)?(?<![<>/|!&*+-])=(?!=)/du,
  /^\s+[|=]\s*(?<field>\p{Lu}[\w']*)/du,
  /^pattern\s+(?<name>\p{Lu}[\w']*)/du,
];

const elm: readonly RegExp[] = [
  /^type (?:alias )?(?<holder>\p{Lu}\w*)/du,
  /^(?<name>\p{Ll}\w*)\s*:\s/du,
  /^\s+[|=]\s*(?<field>\p{Lu}\w*)/du,
];

const erlang: readonly RegExp[] = [
  /^-(?:record|define|type|opaque|nominal|callback|spec)\s*(?:\(\s*)?(?<name>\w+)/du,
  /^-module\s*\(\s*(?<holder>\w+)/du,
  /^(?<name>[a-z]\w*)\(/du,
];

const lisp: readonly RegExp[] = [
  /^\s*\((?:[\w-]+\/)?(?:cl-)?(?:def[\w*!?-]*|ns|struct|fn|lambda|macro|var|local|global)\s+(?:\^\S+\s+)*\(?(?<name>[^\s()[\]{}"';`,^]+)/du,
];

const r: readonly RegExp[] = [
  /^\s*`?(?<name>[\p{L}.][\w.]*)`?\s*(?:<-|=)\s*function\b/du,
  /^\s*set(?:Generic|Class|Method|RefClass|Validity)\s*\(\s*["'](?<name>[\w.]+)/du,
  /^(?<name>[\p{L}.][\w.]*)\s*<-\s/du,
];

const shell: readonly RegExp[] = [
  /^\s*(?:function\s+)?(?<name>[\w:.-]+)\s*\(\)/du,
  /^\s*function\s+(?<name>[\w:.-]+)/du,
  /^\s*(?:readonly|export|declare(?:\s+-\w+)*|alias)\s+(?<name>[\w-]+)=/du,
];

const perl: readonly RegExp[] = [
  /^\s*has\s+(?:\[\s*)?['"]?(?<field>\w+)/du,
  /^\s*use\s+constant\s+(?:\{\s*)?(?<name>\w+)/du,
  /^\s*our\s+[$@%](?<name>\w+)/du,
];

const julia: readonly RegExp[] = [
  /^\s*(?:@\w+\s+)*(?:mutable\s+struct|(?:abstract|primitive)\s+type|struct|immutable|abstract|(?:bare)?module)\s+(?<holder>[\p{L}_]\w*)/du,
  /^(?:@\w+\s+)*(?:\w+\.)?(?<name>[\p{L}_][\w!]*)(?:\{[^{}]*\})?\([^()]*(?:\([^()]*\)[^()]*)*\)[^=()]*=(?!=)/du,
];

const styles: readonly RegExp[] = [
  /^\s*(?<field>--[\w-]+)\s*:/du,
  /^\s*[$@](?<field>[\w-]+)\s*:(?!:)/du,
  /^\s*@(?:mixin|function|keyframes|layer|property|utility)\s+(?<name>[\w-]+)/du,
];

const hcl: readonly RegExp[] = [
  /^\s*(?:resource|data)\s+"[^"]+"\s+"(?<holder>[^"]+)"/du,
  /^\s*(?:variable|output|module|provider|check)\s+"(?<holder>[^"]+)"/du,
];

const graphql: readonly RegExp[] = [
  /^\s*(?:extend\s+)?(?:type|input|interface|union|enum|scalar|fragment|query|mutation|subscription|directive)\s+@?(?<holder>\w+)/du,
];

const sql: readonly RegExp[] = [
  /^\s*create\s+(?:(?:or\s+replace|global|local|temp|temporary|unlogged|unique|materialized|external|recursive)\s+)*(?:table|view|function|procedure|type|trigger|index|schema|sequence|domain|extension|aggregate|role|database)\s+(?:if\s+not\s+exists\s+)?(?:["`[]?\w+["`\]]?\.)*["`[]?(?<name>\w+)/diu,
  /^\s*\{%-?\s*(?:macro|test|snapshot|materialization)\s+(?<name>\w+)/du,
];

const make: readonly RegExp[] = [
  /^(?:(?:export|override)\s+)*(?<name>[\w.-]+)\s*[:?+!]?=/du,
  /^(?<name>[\w./%-]+)(?:\s+[\w./%-]+)*\s*::?(?!=)/du,
  /^define\s+(?<name>[\w.-]+)/du,
];

const cmake: readonly RegExp[] = [
  /^\s*(?:function|macro|option|set|add_library|add_executable|add_custom_target)\s*\(\s*(?<name>[\w:.-]+)/diu,
];

const settings: readonly RegExp[] = [
  /^\s*\[+(?<holder>[^\][]+)\]/du,
  /^\s*(?:export\s+)?(?<field>[\w.-]+)\s*=/du,
];

const vim: readonly RegExp[] = [
  /^\s*fu(?:n(?:c(?:t(?:i(?:on?)?)?)?)?)?!?\s+(?:[sgblwt]:|<SID>)?(?<name>[\w#.]+)/du,
  /^\s*com(?:m(?:a(?:nd?)?)?)?!?\s+(?:-\S+\s+)*(?<name>[A-Z]\w*)/du,
];

const tcl: readonly RegExp[] = [
  /^\s*(?:proc|method|oo::class\s+create|namespace\s+eval)\s+(?:::)?(?<name>[\w:]+)/du,
];

const nix: readonly RegExp[] = [
  /^\s*(?<name>[\w'-]+)\s*=\s*(?:\{|rec\b|[\w-]+:|let\b|with\b|mk\w+)/du,
];

const odin: readonly RegExp[] = [/^\s*(?<name>\w+)\s*::\s*\S/du];

const tex: readonly RegExp[] = [
  /^\s*\\(?:new|renew|provide)(?:command|environment)\*?\s*\{?\\?(?<name>\w+)/du,
  /^\s*\\(?:DeclareMathOperator|def)\*?\s*\{?\\?(?<name>\w+)/du,
  /\\label\{(?<name>[^{}]+)\}/du,
];

/** The fields of classes in Java and C#. A variable of a method may be `final` or `const`, but has none of these. */
const fields: readonly RegExp[] = [
  /^\s+(?:(?:final|const)\s+)?(?:public|private|protected|internal|static|readonly|volatile|transient|override|virtual|abstract|event)(?<type>\s[\w<>[\],.?\s]+)(?:=(?!=)|;|\{)/du,
  /^\s*(?:public\s+)?@interface\s+(?<holder>\w+)/du,
];

const dart: readonly RegExp[] = [
  /^ {2}(?:static|late|final|const|required|covariant|external)(?<type>\s[\w<>[\],.?\s]+);/du,
];

const rust: readonly RegExp[] = [
  /^\s*(?:pub(?:\([^()]*\))?\s+)?(?:mod|macro_rules!)\s+(?<holder>\w+)/du,
  /^\s+pub(?:\([^()]*\))?\s+(?<field>[a-z_]\w*):\s/du,
];

const ruby: readonly RegExp[] = [
  /^\s*(?:attr_(?:reader|writer|accessor)|alias_method|define_method|scope|has_many|has_one|belongs_to|def_node_matcher|def_node_search)[\s(]\s*:(?<field>\w+)/du,
  /^\s*alias\s+:?(?<name>\w+)/du,
];

const php: readonly RegExp[] = [
  /^\s*(?:(?:public|private|protected|final|static)\s+)*const\s+(?:[\w|?\\]+\s+)?(?<name>\w+)\s*=/du,
  /^\s*case\s+(?<field>\w+)\s*(?:;|=)/du,
  /^\s*define\(\s*['"](?<name>\w+)/du,
  /^\s+(?:(?:public|private|protected|static|readonly|var)\s+)+(?:[\w|?\\]+\s+)?\$(?<field>\w+)/du,
];

/** Members of interfaces and classes in TypeScript. */
const typescript: readonly RegExp[] = [
  /^\s+(?:(?:public|private|protected|static|readonly|declare|override|abstract)\s+)+(?<field>[\w$#]+)[?!]?\s*[:=;]/du,
  /^\s+(?<field>[\w$]+)\??:\s[^={}()]*;$/du,
  /^\s+(?<field>[\w$]+)\??\([^{}=()]*(?:\([^{}=()]*\)[^{}=()]*)*\):\s[^{}=;]*;$/du,
];

const go: readonly RegExp[] = [/^\t(?<field>[A-Z]\w*)\s+[\w*[\].]+(?:\s+`.*)?$/du];

const byExtensions: Readonly<Record<string, LanguageRules>> = {
  'kt kts': { keywords: 'class interface object fun typealias val var' },
  swift: {
    keywords:
      'class struct enum protocol actor extension func typealias associatedtype macro precedencegroup let var',
  },
  'scala sc': { keywords: 'class trait object def val var type given extension enum' },
  dart: { keywords: 'class mixin enum typedef extension', shapes: dart },
  'java cs': { shapes: fields },
  rs: { shapes: rust },
  'rb rake gemspec': { shapes: ruby },
  'php phtml': { shapes: php },
  'ts tsx mts cts': { shapes: typescript },
  go: { shapes: go },
  'c cc cpp cxx h hh hpp hxx': { shapes: [...objectiveC, ...cTypes] },
  sol: { keywords: 'contract library interface function event error modifier struct enum type' },
  'fs fsi fsx': { shapes: fsharp },
  'ml mli mll mly': { shapes: ocaml },
  'sml sig fun': { shapes: ml },
  'hs lhs purs idr agda': { shapes: haskell },
  elm: { shapes: elm },
  'erl hrl': { shapes: erlang },
  'ex exs': {
    keywords:
      'def defp defmacro defmacrop defguard defguardp defdelegate defmodule defprotocol defimpl defexception defn defnp',
    shapes: [/^\s*@(?:callback|macrocallback|type|typep|opaque|spec)\s+(?<name>[\p{Ll}_]\w*)/du],
  },
  'clj cljs cljc edn el lisp lsp cl scm ss rkt fnl hy janet': { shapes: lisp },
  r: { shapes: r },
  'sh bash zsh ksh bats': { shapes: shell },
  'ps1 psm1': {
    shapes: [
      /^\s*(?:function|filter|workflow|configuration|class|enum)\s+(?:\w+:)?(?<name>[\w-]+)/diu,
    ],
  },
  'pl pm t': { shapes: perl },
  jl: { shapes: julia },
  'm mm': { shapes: [...objectiveC, ...cTypes, ...matlab] },
  'css scss less sass styl pcss': { shapes: styles },
  'tf tofu hcl': { shapes: hcl },
  'proto thrift fbs capnp': {
    keywords: 'message service rpc enum oneof extend struct exception union table interface',
  },
  'graphql graphqls gql': { shapes: graphql },
  'sql psql ddl': { shapes: sql },
  'mk make': { shapes: make },
  cmake: { shapes: cmake },
  'properties ini cfg conf toml env editorconfig': { shapes: settings },
  'nim nims': {
    keywords: 'proc func method iterator template macro converter type const',
    shapes: [
      /^\s+(?<name>[\p{L}_]\w*)\*?\s*(?:\{[^{}]*\}\s*)?=\s*(?:ref\s+)?(?:object|enum|tuple|distinct)\b/du,
    ],
  },
  cr: { keywords: 'def class module struct enum lib macro annotation alias fun' },
  'vb bas cls frm vbs': {
    isCaseless: true,
    keywords:
      'sub function property class module structure enum interface namespace type event delegate',
  },
  'pas dpr lpr': {
    isCaseless: true,
    keywords: 'procedure function constructor destructor operator property unit program',
    shapes: [
      /^\s*(?<holder>\w+)\s*=\s*(?:packed\s+)?(?:class|record|interface|object|set\s+of|array\b|type\b|\()/diu,
    ],
  },
  'ada adb ads': {
    isCaseless: true,
    keywords: 'procedure function package body task type subtype protected entry',
  },
  'f for f77 f90 f95 f03 f08': {
    isCaseless: true,
    keywords: 'subroutine function program module submodule interface procedure',
    shapes: [
      /^\s*type\s*(?:,[^:]*::\s*|::\s*)?(?<holder>[a-z]\w*)$/diu,
      /^\s*(?:[\w()*=,]+\s+)+function\s+(?<name>\w+)\s*\(/diu,
    ],
  },
  // Verilog and Coq.
  'sv svh v': {
    keywords:
      'module interface package class function task program checker covergroup property sequence fn struct Theorem Lemma Definition Fixpoint CoFixpoint Inductive CoInductive Record Module Axiom Variable Hypothesis Instance Corollary Proposition',
  },
  'vhd vhdl': {
    isCaseless: true,
    keywords:
      'entity architecture package body component procedure function type subtype constant signal',
  },
  pp: { keywords: 'class define' },
  vim: { shapes: vim },
  tcl: { shapes: tcl },
  nix: { shapes: nix },
  zig: { keywords: 'fn const var' },
  odin: { shapes: odin },
  gleam: { keywords: 'fn type const' },
  'd di': { keywords: 'class struct interface enum union template mixin alias module auto' },
  'groovy gradle': {
    keywords: 'class interface trait enum def',
    shapes: [/^\s*task\s+(?<name>\w+)/du, /^\s*tasks\.(?:register|create)\(\s*['"](?<name>\w+)/du],
  },
  'coffee litcoffee': {
    shapes: [
      /^\s*class\s+(?<holder>[\w.]+)/du,
      /^\s*@?(?<name>[\w.$]+)\s*[:=]\s*(?:\([^()]*\)\s*)?[-=]>/du,
    ],
  },
  'tex sty': { shapes: tex },
};

const byExtension: ReadonlyMap<string, LanguageRules> = new Map(
  Object.entries(byExtensions).flatMap(([extensions, rules]) =>
    extensions.split(' ').map(one => [one, rules] as const),
  ),
);
/** Files without an extension that tells. */
const byName: Readonly<Record<string, string>> = {
  makefile: 'mk',
  gnumakefile: 'mk',
  'cmakelists.txt': 'cmake',
};

/** The rules of the language that a path tells. */
export function rulesOf(path: string): LanguageRules | undefined {
  const base = path
    .slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    .toLowerCase();
  return byExtension.get(byName[base] ?? base.slice(base.lastIndexOf('.') + 1));
}
